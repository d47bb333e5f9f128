# gnuplot -d -c scaling.gp OUT.svg DATA.csv [LO HI]   (LO HI: GPUs range to shade, with label "most jobs")
# CSV series,gpus,efficiency_pct,kind   kind = model | measured (first series = blue)
set datafile separator comma; set datafile columnheaders; D=ARG2
P=""; stats D u (strstrt(P,'"'.strcol(1).'"')?0:(P=P.'"'.strcol(1).'" ',0)) nooutput
n=words(P); H=n>5?48+46*n:280; load ARG0[1:strlen(ARG0)-10]."style.gp"
set output ARG1; stats D u 2 name "G" nooutput; stats D u 3 name "E" nooutput
b2(s)=strlen(s)>28?strstrt(s," on "):0
nm1(s)=b2(s)>0?fit(substr(s,1,b2(s)-1),28):fit(s,28); nm2(s)=b2(s)>0?fit(substr(s,b2(s)+1,strlen(s)),28):""
two=0; do for [k=1:n] { two=max2(two,b2(word(P,k))>0) }
array YY[n]; array EX[n]; array EY[n]; array NM[n]; ml=0; me=0
do for [k=1:n] { lx=-1; EY[k]=0; NM[k]=0; stats D u (strcol(1) eq word(P,k)?(strcol(4) eq "model"?(NM[k]=NM[k]+1,0):(me=max2(me,$2),0),$2>=lx?(lx=$2,EY[k]=$3,0):0,0):0) nooutput; EX[k]=lx; ml=max2(ml,max2(104,tb(b2(word(P,k))>0?(strlen(nm1(word(P,k)))>strlen(nm2(word(P,k)))?nm1(word(P,k)):nm2(word(P,k))):fit(word(P,k),28)))) }
L=48; R=640-min2(ml,170)-22; T=30; B=H-46; @box
y0=max2(0,floor((E_min-14)/20.)*20); y1=max2(102,E_max+2); set yrange [y0:y1]
set ytics (); do for [v=0:100:20] { if (v>=y0) { set ytics add (sprintf("%d %%%%",v) v) } }
x0=G_min; x1=max2(G_max,2*G_min); set logscale x 2; set xrange [x0*.9999:x1*1.0001]; set xtics ()
do for [e=0:14] { v=2**e; if (v>=x0&&v<=x1) { set xtics add (th(v) v) } }
xp(v)=L+(R-L)*log(v/(1.*x0))/log(x1/(1.*x0)); yp(v)=B-(B-T)*(v-y0)/(y1-y0)
eval ytitle("Parallel efficiency"); eval xtitle("GPUs in the job (log scale)")
if (ARGC>=4) { set object 1 rect from ARG3+0,graph 0 to ARG4+0,graph 1 fc rgb TGREY fs solid noborder behind
 set label 1 "most jobs" at screen X((xp(ARG3+0)+xp(ARG4+0))/2.),Y(B-10) center tc rgb INK2 }
if (me>0 && me<x1) { set label 2 "extrapolated" at screen X(xp(me)+8),Y(T+4) left tc rgb INK2
 set arrow 2 from me,graph 0 to me,graph 1 nohead lw 0.75 lc rgb AXIS back }
do for [k=1:n] { YY[k]=yp(EY[k])-6 }
# every series is named at the right edge, in the order of their last points: several may end early at one size
array AY[n]; GAP=two?46:31; LO=T+2; HI=B-16; if (n>1) { GAP=min2(GAP,(HI-LO)/(n-1.)) }; @spread
do for [k=1:n] { AY[k]=YY[k] }
do for [k=1:n] {
 set label 10+3*k nm1(word(P,k)) at screen X(R+12),Y(AY[k]) left noenhanced font "Inter:Bold,11" tc rgb tcol(k)
 if (b2(word(P,k))>0) { set label 11+3*k nm2(word(P,k)) at screen X(R+12),Y(AY[k]+14) left noenhanced font "Inter:Bold,11" tc rgb tcol(k) }
 set label 12+3*k sprintf("%.0f %% at %s GPU%s",EY[k],th(EX[k]),EX[k]==1?"":"s") at screen X(R+12),Y(AY[k]+14+(b2(word(P,k))>0?14:0)) left tc rgb INK2 }
s3(k,q,c)=strcol(1) eq word(P,k) && (strcol(4) eq q || (q eq "model" && NM[k]==0))?column(c):NaN
plot for [k=n:1:-1] D u (s3(k,"model",2)):(s3(k,"model",3)) w l lw (k==1?2.25:1.75) lc rgb col(k), \
 for [k=n:1:-1] D u (s3(k,"measured",2)):(s3(k,"measured",3)) w p pt 7 ps PO lc rgb col(k), \
 for [k=n:1:-1] D u (s3(k,"measured",2)):(s3(k,"measured",3)) w p pt 7 ps PI lc rgb "#ffffff"
