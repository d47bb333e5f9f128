# gnuplot -d -c util.gp OUT.svg DATA.csv
# CSV hour_of_week (0 = Monday 00:00, 168 repeats it),busy_pct
H=230; load ARG0[1:strlen(ARG0)-7]."style.gp"
set output ARG1; D=ARG2
stats D u 2 name "M" nooutput
L=48; R=560; T=30; B=H-46; @box
y0=0; y1=max2(100,M_max*1.02)
set yrange [y0:y1]; set ytics (); do for [v=0:100:25] { set ytics add (sprintf("%d %%%%",v) v) }
set xrange [0:168]; set xtics 24 format ""; yp(v)=B-(B-T)*(v-y0)/(y1-y0)
do for [d=1:7] { set label 50+d word("Mon Tue Wed Thu Fri Sat Sun",d) at first 24*d-12,screen Y(B+14) center tc rgb INK2 }
set object 1 rect from 120,graph 0 to 168,graph 1 fc rgb TGREY fs solid 0.6 noborder behind
eval ytitle("GPU time allocated, mean over the measured weeks"); eval xtitle("Hour of the week")
set arrow 1 from 0,M_mean to 168,M_mean nohead dt (6,5) lc rgb AXIS lw 1 front
set label 11 sprintf("mean %.0f %%",M_mean) at screen X(R+8),Y(yp(M_mean)) left font "Inter:Bold,11" tc rgb BLUE
plot D u 1:(0):2 w filledcurves fc rgb TBLUE fs solid 0.6 noborder, D u 1:2 w l lw 2.25 lc rgb BLUE
