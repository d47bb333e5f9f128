# gnuplot -d -c price_draws.gp OUT.svg DATA.csv
# CSV fleet,in_pct,open_pct   (percent of draws: in the best set, undecided); one bar a row
W=640; set datafile separator comma; set datafile columnheaders
D=ARG2; nn=0
stats D u (nn=nn+1,0) nooutput
RH=22; H=30+nn*RH+10
load ARG0[1:strlen(ARG0)-14]."style.gp"
set output ARG1
ml=0
stats D u (ml=max2(ml,tw(fit(strcol(1),34))),0) nooutput
L=ml+16; R=560; T=26; B=T+nn*RH; @box
set xrange [0:100]; set yrange [nn:0]
unset xtics; unset ytics; set grid noxtics noytics; set border 0
yc(i)=i+0.5; hb=0.32
set label 1 "In the best set" at screen X(L),Y(10) left font "Inter:Bold,11" tc rgb BLUE
set label 2 "Undecided" at screen X(L+tb("In the best set")+22),Y(10) left font "Inter:Bold,11" tc rgb INK2
plot D u 2:(yc($0)):(0):2:(yc($0)-hb):(yc($0)+hb) w boxxyerror fc rgb BLUE, \
 D u ($2+$3):(yc($0)):2:($2+$3):(yc($0)-hb):(yc($0)+hb) w boxxyerror fc rgb TGREY, \
 D u (0):(yc($0)):(fit(strcol(1),34)) w labels right offset character -1,0 noenhanced tc rgb INK, \
 D u ($2+$3):(yc($0)):(sprintf("%.0f %%",$2)) w labels left offset character 0.6,0 font "Inter:Bold,11" tc rgb INK
