# gnuplot -d -c money.gp OUT.svg DATA.csv
# CSV item,kusd,kind   (kind = purchase | running); one bar a row
W=640; set datafile separator comma; set datafile columnheaders
D=ARG2; nn=0; mx=0
stats D u (nn=nn+1,mx=$2>mx?$2:mx,0) nooutput
RH=26; H=30+nn*RH+10
load ARG0[1:strlen(ARG0)-8]."style.gp"
set output ARG1
ml=0; np=0; s1=0; s2=0
stats D u (ml=max2(ml,tw(fit(strcol(1),34))),strcol(3) eq "purchase"?(np=np+1,s1=s1+$2):(s2=s2+$2),0) nooutput
L=ml+16; R=560; T=26; B=T+nn*RH; @box
set xrange [0:mx*1.0001]; set yrange [nn:0]
unset xtics; unset ytics; set grid noxtics noytics; set border 0
yc(i)=i+0.5; hb=0.32
KC(s)=s eq "purchase"?BLUE:OCHRE
c2(r)=strcol(3) eq r?column(2):NaN
set label 1 sprintf("Purchase %s kUSD",th(s1)) at screen X(L),Y(10) left font "Inter:Bold,11" tc rgb BLUE
set label 2 sprintf("Running %s kUSD",th(s2)) at screen X(L+tb(sprintf("Purchase %s kUSD",th(s1)))+22),Y(10) left font "Inter:Bold,11" tc rgb OTXT
plot D u (c2("purchase")):(yc($0)):(0):(c2("purchase")):(yc($0)-hb):(yc($0)+hb) w boxxyerror fc rgb BLUE, \
 D u (c2("running")):(yc($0)):(0):(c2("running")):(yc($0)-hb):(yc($0)+hb) w boxxyerror fc rgb OCHRE, \
 D u (0):(yc($0)):(fit(strcol(1),34)) w labels right offset character -1,0 noenhanced tc rgb INK, \
 D u 2:(yc($0)):(sg($2,1)) w labels left offset character 0.6,0 font "Inter:Bold,11" tc rgb INK
