# gnuplot -d -c front.gp OUT.svg DATA.csv [XTITLE [YTITLE]]
# CSV fleet,x,x_lo,x_hi,y,y_lo,y_hi,standing   (standing 0: on the front, 1: undecided, 2: dominated; lo/hi = 95 % interval)
H=330; load ARG0[1:strlen(ARG0)-8]."style.gp"
set output ARG1; D=ARG2
L=56; R=616; T=44; B=H-46; @box
xlo=1e99; xhi=-1e99; ylo=1e99; yhi=-1e99; named=0
stats D u (xlo=min2(xlo,$3),xhi=max2(xhi,$4),ylo=min2(ylo,$6),yhi=max2(yhi,$7),named=named+($8<2?1:0),0) nooutput
wx=max2(xhi-xlo,1e-9+1e-3*abs(xhi)); wy=max2(yhi-ylo,1e-9+1e-3*abs(yhi))
set xrange [xlo-0.06*wx:xhi+0.14*wx]; set yrange [ylo-0.08*wy:yhi+0.1*wy]
sx=nice(wx/5.); sy=nice(wy/4.5)
set xtics (); do for [i=-1:12] { v=(floor(xlo/sx)+i)*sx; if (v>=xlo-0.06*wx && v<=xhi+0.14*wx) { set xtics add (tl(v,sx) v) } }
set ytics (); do for [i=-1:12] { v=(floor(ylo/sy)+i)*sy; if (v>=ylo-0.08*wy && v<=yhi+0.1*wy) { set ytics add (tl(v,sy) v) } }
set label 9001 (ARGC>=4?ARG4:"") at screen 0,Y(8) left noenhanced tc rgb INK2
set label 9002 (ARGC>=3?ARG3:"") at screen X(R),Y(B+35) right noenhanced tc rgb INK2
set label 1 "On the front" at screen X(L),Y(26) left font "Inter:Bold,11" tc rgb BLUE
set label 2 "Undecided" at screen X(L+tb("On the front")+22),Y(26) left font "Inter:Bold,11" tc rgb OTXT
set label 3 "Dominated" at screen X(L+tb("On the frontUndecided")+44),Y(26) left font "Inter:Bold,11" tc rgb INK2
of(s,c)=$8==s?column(c):NaN
hue(s)=s==0?BLUE:s==1?OCHRE:GREY
plot for [s=2:0:-1] D u (of(s,2)):(of(s,5)):3:4:6:7 w xyerrorbars pt 7 ps PO*(s==2?.75:1) lw 1 lc rgb hue(s), \
 D u (of(1,2)):(of(1,5)) w p pt 7 ps PI lc rgb "#ffffff", \
 D u ($8<2&&named<=16?$2:NaN):5:(fit(strcol(1),24)) w labels left offset character 0.9,0.6 noenhanced tc rgb INK
