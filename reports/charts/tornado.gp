# gnuplot -d -c tornado.gp OUT.svg DATA.csv HOME
# CSV item,low_h,high_h,low_best,high_best   (hours to a result of the best fleet at both ends of the estimate's range,
# and that fleet); one pair of bars a row. HOME: hours with every estimate at its value
W=640; set datafile separator comma; set datafile columnheaders
D=ARG2; HM=ARG3+0; nn=0; lo=HM; hi=HM
stats D u (nn=nn+1,lo=$2<lo?$2:lo,lo=$3<lo?$3:lo,hi=$2>hi?$2:hi,hi=$3>hi?$3:hi,0) nooutput
RH=30; H=30+nn*RH+40
load ARG0[1:strlen(ARG0)-10]."style.gp"
set output ARG1
ml=0
stats D u (ml=max2(ml,tw(fit(strcol(1),34))),0) nooutput
L=ml+16; R=600; T=26; B=T+nn*RH; @box
pad=max2(0.28*(hi-lo),0.005*HM); set xrange [lo-pad:hi+pad]; set yrange [nn:0]
unset ytics; set border 1; set grid xtics noytics; set xtics nice((hi-lo+2*pad)/5.)
eval xtitle("Time to a result of the best fleet, h")
yc(i)=i+0.5; hb=0.2
set label 1 "Estimate low" at screen X(L),Y(10) left font "Inter:Bold,11" tc rgb BLUE
set label 2 "high" at screen X(L+tb("Estimate low")+22),Y(10) left font "Inter:Bold,11" tc rgb OTXT
set arrow 1 from HM,graph 0 to HM,graph 1 nohead lc rgb AXIS lw 1 front
# A name stands outside its bar; two that are both on one side share a line, the upper bar's above.
plot D u 2:(yc($0)-hb):(HM):2:(yc($0)-2*hb):(yc($0)) w boxxyerror fc rgb BLUE, \
 D u 3:(yc($0)+hb):(HM):3:(yc($0)):(yc($0)+2*hb) w boxxyerror fc rgb OCHRE, \
 D u (lo-pad):(yc($0)):(fit(strcol(1),34)) w labels right offset character -1,0 noenhanced tc rgb INK, \
 D u ($2>=HM?$2:NaN):(yc($0)-hb):(strcol(4)) w labels left offset character 0.6,0 noenhanced tc rgb BLUE, \
 D u ($2<HM?$2:NaN):(yc($0)-hb):(strcol(4)) w labels right offset character -0.6,0 noenhanced tc rgb BLUE, \
 D u ($3>=HM?$3:NaN):(yc($0)+hb):(strcol(5)) w labels left offset character 0.6,0 noenhanced tc rgb OTXT, \
 D u ($3<HM?$3:NaN):(yc($0)+hb):(strcol(5)) w labels right offset character -0.6,0 noenhanced tc rgb OTXT
