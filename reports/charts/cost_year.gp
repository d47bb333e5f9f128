# gnuplot -d -c cost_year.gp OUT.svg DATA.csv
# CSV year,<item>,<item>,...  (kUSD; first item at the bottom, up to 6 items)
H=300; load ARG0[1:strlen(ARG0)-12]."style.gp"
set output ARG1; D=ARG2
stats D u 0:2 name "N" nooutput; nb=N_records; n=N_columns-1
array NM[n]; array SU[n]; array V1[n]; array YY[n]; array TY[n]
stats D u 2 name "Q" nooutput; do for [k=1:n] { NM[k]=Q_column_header[k+1] }
tot(k)=sum[j=2:k] column(j)
mx=0; gt=0; stats D u (_v=tot(n+1),mx=max2(mx,_v),gt=gt+_v,0) nooutput
do for [k=1:n] { s=0; stats D u (s=s+column(k+1), $0==0?(V1[k]=column(k+1),0):0, 0) nooutput; SU[k]=s }
wl=0; do for [k=1:n] { wl=max2(wl,tb(fit(NM[k],26))) }; wv=tw(th(gt))+12
L=max2(48,tw(th(mx))+14); R=640-wl-wv-34; T=34; B=H-28; @box
array VL[n]; do for [k=1:n] { stats D u ($0==nb-1?(VL[k]=column(k+1),0):0) nooutput }
st=nice(mx/4.); y1=mx*1.08; set yrange [0:y1]; set ytics ()
do for [i=0:8] { if (i*st<=y1) { set ytics add (tl(i*st,st) i*st) } }
set xrange [-0.5:nb-0.5]; bw=min2(0.68,84.*nb/(R-L)); bwp=bw*(R-L)/nb
ev=ceil(nb*46./(R-L))
eval ytitle(sprintf("Cost, kUSD per %s",Q_column_header[1]))
yp(v)=B-(B-T)*v/y1
# item labels beside the last bar, in stacking order, pushed apart; elbow leaders
c=0; do for [k=1:n] { TY[k]=yp(c+VL[k]/2.); YY[k]=TY[k]+(n-k)*0.01; c=c+VL[k] }
GAP=16; LO=T+20; HI=B-6; @spread
xe=L+(R-L)*(nb-.5+bw/2.)/nb
set label 19 "total, kUSD" at screen X(638),Y(YY[OO[1]]-17) right tc rgb INK2
do for [k=1:n] {
 if (VL[k]>0) { set arrow 20+k from screen X(xe+3),Y(TY[k]) to screen X(R+8),Y(YY[k]) nohead lw 0.75 lc rgb AXIS }
 set label 20+2*k fit(NM[k],26) at screen X(R+12),Y(YY[k]) left noenhanced font "Inter:Bold,11" tc rgb tcol(k)
 set label 21+2*k th(SU[k]) at screen X(638),Y(YY[k]) right tc rgb INK2 }
seg(k)=abs(yp(column(k+1))-yp(0))>=14 && bwp>=40 ? sg(column(k+1),1) : ""
hw=bw/2.; gp=0.4*y1/(B-T)
plot for [k=1:n] D u 0:(tot(k)):($0-hw):($0+hw):(tot(k)+gp):(max2(tot(k+1)-gp,tot(k)+gp)) w boxxyerror fc rgb col(k), \
 for [k=1:n] D u 0:(tot(k)+column(k+1)/2.):(seg(k)) w labels center font "Inter:Bold,11" tc rgb "#ffffff", \
 D u 0:(tot(n+1)):(bwp>=30?sg(tot(n+1),1):"") w labels center offset 0,0.65 font "Inter:Bold,11" tc rgb INK, \
 D u 0:(0):xtic(int($0)%ev==0?strcol(1):"") w p pt 7 ps 0.01 lc rgb AXIS
