# gnuplot -d -c split_curve.gp OUT.svg DATA.csv [BANDLO BANDHI [K]]
# CSV policy,share_pct,hours,lo,hi,best,ranked  (first policy = blue = the scenario's own; best=1: in the best set;
# ranked=0: breaks a requirement, a grey point off the line)
H=304; load ARG0[1:strlen(ARG0)-14]."style.gp"
set output ARG1; D=ARG2
BL=20; BH=34; if (ARGC>=4) { BL=ARG3+0; BH=ARG4+0 }
KT=ARGC>=5?", k = ".ARG5:""
P=""; stats D u (strstrt(P,'"'.strcol(1).'"')?0:(P=P.'"'.strcol(1).'" ',0)) nooutput
n=words(P)
stats D u 4 name "LO" nooutput; stats D u 5 name "HI" nooutput; stats D u 2 name "SH" nooutput
L=56; R=500; T=38; B=H-46; @box
set ytics ()
LG = HI_max/LO_min>6
if (LG) { set logscale y; y0=LO_min/1.6; y1=HI_max*1.12
  do for [e=-2:5] { do for [m in "1 2 5"] { v=m*10**e; if (v>=y0 && v<=y1) { set ytics add (ht(v) v) } } }
} else { st=nice((HI_max-min2(0,LO_min))/4.5); y0=0; y1=HI_max*1.06
  do for [i=0:10] { if (i*st<=y1) { set ytics add (tl(i*st,st)." h" i*st) } } }
set yrange [y0:y1]
yp(v)= LG ? B-(B-T)*log(v/y0)/log(y1/y0) : B-(B-T)*(v-y0)/(y1-y0)
set xrange [0:100]; set xtics 20 format "%.0f %%"
xp(v)=L+(R-L)*v/100.
if (BH>BL) { set object 1 rect from BL,graph 0 to BH,graph 1 fc rgb TOCHRE fs solid 0.55 noborder behind
set label 1 sprintf("guide %g–%g %%",BL,BH) at first (BL+BH)/2.,screen Y(T-8) center tc rgb OTXT }
eval ytitle("Mean time to result".KT.(LG?" (log scale)":""))
eval xtitle("Share of node money on the scale-up pool")
array YY[n]; array NB[n]; array B0[n]; array B1[n]; array BH_[n]; array BX[n]
bmin=1e99
do for [k=1:n] { last=NaN; lx=-1; NB[k]=0; B0[k]=1e9; B1[k]=-1e9; BH_[k]=1e99; BX[k]=0
  stats D u (strcol(1) eq word(P,k) ? ($7>0&&$2>=lx?(lx=$2,last=$3):0, $6>0?(NB[k]=NB[k]+1,B0[k]=min2(B0[k],$2),B1[k]=max2(B1[k],$2)):0, $7>0&&$3<BH_[k]?(BH_[k]=$3,BX[k]=$2):0, 0) : 0) nooutput
  YY[k]=yp(last) }
GAP=31; LO=T+2; HI=B-14; @spread
do for [k=1:n] {
  set label 10+2*k word(P,k) at screen X(R+12),Y(YY[k]) left noenhanced font "Inter:Bold,11" tc rgb tcol(k)
  set label 11+2*k "".(NB[k]==0?"":B0[k]==B1[k]?sprintf("best %.0f %%, %s",B0[k],hum(BH_[k])):sprintf("best set %.0f–%.0f %%",B0[k],B1[k])) at screen X(R+12),Y(YY[k]+14) left noenhanced tc rgb INK2 }
# the recommended set: lowest point of the first policy, with its interval in words
_s=sprintf("%s at %.0f %%",hum(BH_[1]),BX[1]); _x=min2(max2(xp(BX[1]),L+tb(_s)/2.),R-tb(_s)/2.)
set label 40 _s at screen X(_x),Y(min2(yp(BH_[1])+19,B-8)) center noenhanced font "Inter:Bold,11" tc rgb BLUE front
rnk(k,c)=strcol(1) eq word(P,k) && column(7)>0?column(c):NaN
opn(k,c)=strcol(1) eq word(P,k) && column(7)>0 && column(6)<1?column(c):NaN
unr(k,c)=strcol(1) eq word(P,k) && column(7)<1?column(c):NaN
plot for [k=n:1:-1] D u (unr(k,2)):(unr(k,3)) w p pt 7 ps PO*0.8 lc rgb GREY, \
 for [k=n:1:-1] D u (rnk(k,2)):(rnk(k,3)) w l lw (k==1?2.25:1.75) lc rgb col(k), \
 for [k=n:1:-1] D u (rnk(k,2)):3:4:5 w yerrorbars pt 7 ps PO lw 1 lc rgb col(k), \
 for [k=n:1:-1] D u (opn(k,2)):(opn(k,3)) w p pt 7 ps PI lc rgb "#ffffff"
