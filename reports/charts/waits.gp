# gnuplot -d -c waits.gp OUT.svg DATA.csv
# CSV class,p50,p50_lo,p50_hi,p90,p90_lo,p90_hi,p95,p95_lo,p95_hi   (hours; lo/hi = 95 % interval)
W=640; set datafile separator comma; set datafile columnheaders
D=ARG2; nn=0; ml=0; mn=1e99; mx=0
stats D u (nn=nn+1,ml=strlen(strcol(1))>ml?strlen(strcol(1)):ml,mn=$3<mn?$3:mn,mx=$10>mx?$10:mx,0) nooutput
RH=nn>14?16:nn>8?24:30; H=34+nn*RH+46
load ARG0[1:strlen(ARG0)-8]."style.gp"
set output ARG1
L=min2(ml,34)*5.7+14; R=622; T=34; B=T+nn*RH; @box
mn=max2(mn,1/60.); mx=max2(mx,mn*4); _l=log(mx/mn)/(R-L-96.); x0=mn*exp(-46*_l); x1=mx*exp(50*_l); cl(v)=max2(v,mn)   # zero waits sit at the left end
 set logscale x; set xrange [x0:x1]; set yrange [nn:0]
xp(v)=L+(R-L)*log(max2(v,x0)/x0)/log(x1/x0)
set ytics (); unset ytics; set grid xtics noytics back lt 1 lc rgb GRID lw 0.75, lt 1 lc rgb GRID lw 0.75
set xtics ()
_q=-99; do for [t in "0.01666667 0.05 0.1666667 0.5 1 4 12 24 72 168 720 2160"] { if (t>=x0 && t<=x1 && xp(t)-_q>=43) { _q=xp(t); set xtics add ((t>=71.9?sprintf("%.0f d",t/24):ht(t+0)) t+0) } }
eval xtitle("Queue wait (log scale)")
big=RH>=24; hb=RH>=24?3:2; hh=hb/(1.*RH); cc=(RH>=24?3.5:2.)/RH
# column heads over the first row
array YY[3]; array C3[3]; C3[1]=BLUE; C3[2]=OTXT; C3[3]=BRICK
stats [*:*][*:*] D u ($0==0?(YY[1]=xp($2),YY[2]=xp($5),YY[3]=xp($8),0):0) nooutput
stats [*:*][*:*] D u ($2>0?1:0) name "K" nooutput
n=3; GAP=44; LO=L+20; HI=R-8; @spread
do for [k=1:3] { set label 10+k word("Median p90 p95",k) at screen X(YY[k]),Y(T-12) center font "Inter:Bold,11" tc rgb C3[k] }
yc(i)=i+(big?0.58:0.5)
of(c)=(c==2?0:c==5?-2.5:2.5)*(big?1:.6)/RH   # p90 a little up, p95 a little down: their intervals often overlap
cap(c,l,h,k)=0
plot D u (cl($2)):(yc($0)):(cl($2)):(cl($8)):(yc($0)-hh):(yc($0)+hh) w boxxyerror fc rgb TGREY, \
 for [c=2:8:3] D u (cl(column(c+1))):(yc($0)+of(c)):(cl(column(c+2))-cl(column(c+1))):(0) w vectors nohead lw (big?1.5:1) lc rgb word("#275D8C #B87A1E #A94A35",(c+1)/3), \
 for [c=2:8:3] for [e=1:2] D u (cl(column(c+e))):(yc($0)-cc+of(c)):(0):(2*cc) w vectors nohead lw (big?1.25:1) lc rgb word("#275D8C #B87A1E #A94A35",(c+1)/3), \
 for [c=2:8:3] D u (cl(column(c))):(yc($0)+of(c)) w p pt 7 ps (big?PD:PD*.8) lc rgb word("#275D8C #B87A1E #A94A35",(c+1)/3), \
 D u (x0):(yc($0)):(fit(strcol(1),34)) w labels right offset character -1.2,0 noenhanced tc rgb INK, \
 D u (cl($3)):(yc($0)):(hum($2)) w labels right offset character -0.8,0 font "Inter:Bold,9.5" tc rgb BLUE, \
 D u (cl($5)):(yc($0)-13./RH):(big?hum($5):"") w labels center font "Inter:Bold,9.5" tc rgb OTXT, \
 D u (cl($10)):(yc($0)):(hum($8)) w labels left offset character 0.8,0 font "Inter:Bold,9.5" tc rgb BRICK
