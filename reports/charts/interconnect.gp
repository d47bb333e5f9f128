# gnuplot -d -c interconnect.gp OUT.svg DATA.csv
# CSV technology,basis,model,gpus,gain_pct   (one panel a technology, in order of appearance; one line a model)
W=640; set datafile separator comma; set datafile columnheaders; D=ARG2
P=""; M=""; stats D u (strstrt(P,'"'.strcol(1).'"')?0:(P=P.'"'.strcol(1).'" ',0)) nooutput
stats D u (strstrt(M,'"'.strcol(3).'"')?0:(M=M.'"'.strcol(3).'" ',0)) nooutput
np=words(P); nm=words(M); PH=nm>5?196:182; H=np*PH+30
load ARG0[1:strlen(ARG0)-15]."style.gp"
set output ARG1
stats D u 4 name "G" nooutput
L=48; R=474; x0=max2(1,G_min); x1=max2(G_max,2*G_min)
array BA[np]; do for [p=1:np] { BA[p]=""; stats D u (strcol(1) eq word(P,p)?(BA[p]=strcol(2),0):0) nooutput }
set multiplot
do for [p=1:np] {
 T=44+(p-1)*PH; B=T+PH-72; @box
 mn=0; mx=0; stats D u (strcol(1) eq word(P,p)?(mn=min2(mn,$5),mx=max2(mx,$5),0):0) nooutput
 y1=max2(mx*1.06,1); y0=mn<-0.05?mn*1.1:0; st=nice((y1-y0)/4.)
 set yrange [y0:y1]; set ytics (); do for [k=-20:20] { v=k*st; if (v>=y0-1e-9&&v<=y1) { set ytics add (sprintf("%s %%%%",tl(v,st)) v) } }
 set logscale x 2; set xrange [x0*.9999:x1*1.0001]; set xtics ()
 do for [e=0:14] { v=2**e; if (v>=x0&&v<=x1) { set xtics add (th(v) v) } }
 yp(v)=B-(B-T)*(v-y0)/(1.*(y1-y0))
 set label 1 word(P,p) at screen X(0),Y(T-30) left noenhanced font "Inter:Bold,11" tc rgb INK
 set label 2 fit(BA[p],96) at screen X(0),Y(T-15) left noenhanced tc rgb INK2
 if (p==np) { eval xtitle("GPUs in the job (log scale)") }
 n=nm; array YY[nm]; array EY[nm]; m=0; array KK[nm]
 do for [k=1:nm] { lx=-1; EY[k]=0; stats D u (strcol(1) eq word(P,p) && strcol(3) eq word(M,k)?($4>=lx?(lx=$4,EY[k]=$5,0):0):0) nooutput; if (lx>0) { m=m+1; KK[m]=k; YY[m]=yp(EY[k]) } }
 n=m; GAP=15; LO=T-4; HI=B+6; if (m>0) { @spread }
 do for [i=1:m] { k=KK[i]
  set label 10+2*i fit(word(M,k),20) at screen X(R+10),Y(YY[i]) left noenhanced font "Inter:Bold,11" tc rgb tcol(k)
  set label 11+2*i sprintf("%s %%",sg(EY[k],1)) at screen X(638),Y(YY[i]) right tc rgb INK2 }
 s(k,c)=strcol(1) eq word(P,p) && strcol(3) eq word(M,k)?column(c):NaN
 plot for [k=nm:1:-1] D u (s(k,4)):(s(k,5)) w l lw 1.75 lc rgb col(k), \
  for [k=nm:1:-1] D u (s(k,4)):(s(k,5)) w p pt 7 ps PO*.75 lc rgb col(k)
 unset label
}
unset multiplot
