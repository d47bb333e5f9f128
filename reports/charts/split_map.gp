# gnuplot -d -c split_map.gp OUT.svg DATA.csv XTITLE YTITLE BANDLO BANDHI COLUMNS ROWS
# CSV x,y,share_pct,text,set,holds,x_label,y_label  (x, y from 1; y = 0: the first-order line; -1: no fleet qualifies;
# holds=1: the guide's rule holds in the cell, framed; set "-": says no more than text)
NX=ARG7+0; NY=ARG8+0
H=132+34*NY; load ARG0[1:strlen(ARG0)-12]."style.gp"
set output ARG1; D=ARG2
BL=ARG5+0; BH=ARG6+0
L=96; R=532; T=34; B=H-58; @box
unset grid; set border 0; unset xtics; unset ytics
set xrange [0.5:NX+0.5]; set yrange [-0.75:NY+0.5]
# colour of a share: from light to dark blue; white text from the middle on
mix(a,b,f)=int(a+(b-a)*f+0.5)
shade(v)=v<0?0xEEF1F4:(_f=v/100.,mix(0xE8,0x1D,_f)*65536+mix(0xF0,0x4A,_f)*256+mix(0xF7,0x73,_f))
ink(v)=v>52?0xFFFFFF:0x1B2733
h(y)=y>0?0.47:0.3
set label 9001 ARG4 at screen 0,Y(8) left noenhanced tc rgb INK2
set label 9002 ARG3 at screen X(R),Y(B+35) right noenhanced tc rgb INK2
set label 30 "first order" at screen X(L-10),graph (0.75/(NY+1.25)) right tc rgb INK2
# the key: shares as colours, the guide's band beside them
KX=560; KT=T+4; KB=B-4; kp(v)=KB-(KB-KT)*v/100.
do for [i=0:19] { set object 100+i rect from screen X(KX),Y(kp(5*i)) to screen X(KX+14),Y(kp(5*i+5)) fc rgb shade(5*i+2.5) fs solid noborder }
do for [v=0:100:50] { set label 60+v sprintf("%d %%",v) at screen X(KX+19),Y(kp(v)) left tc rgb INK2 }
if (BH>BL) { set object 90 rect from screen X(KX-6),Y(kp(BL)) to screen X(KX-2),Y(kp(BH)) fc rgb OCHRE fs solid noborder
set label 91 sprintf("guide") at screen X(KX+19),Y(kp((BL+BH)/2.)-6) left tc rgb OTXT
set label 92 sprintf("%g–%g %%",BL,BH) at screen X(KX+19),Y(kp((BL+BH)/2.)+7) left tc rgb OTXT }
two(c)=strcol(c) ne "-"
plot D u 1:2:($1-0.47):($1+0.47):($2-h($2)):($2+h($2)):(shade($3)) w boxxyerror lc rgb variable fs solid noborder, \
 D u ($6>0?$1:NaN):2:($1-0.46):($1+0.46):($2-h($2)+0.01):($2+h($2)-0.01) w boxxyerror lc rgb OCHRE lw 2.5 fs empty border rgb OCHRE, \
 D u 1:($2+(two(5)?0.2:0)):4:(ink($3)) w labels noenhanced tc rgb variable, \
 D u (two(5)?$1:NaN):($2-0.2):5:(ink($3)) w labels noenhanced tc rgb variable, \
 D u ($2==0?$1:NaN):(-0.62):7 w labels noenhanced tc rgb INK2, \
 D u ($1==1&&$2>0?0.5:NaN):2:8 w labels noenhanced right offset -0.8,0 tc rgb INK2
