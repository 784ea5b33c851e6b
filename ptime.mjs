import vm from 'node:vm'; import { readFileSync, globSync } from 'node:fs';
// compile time of each loaded file (second argument: list)
const files=readFileSync('/tmp/files.txt','utf8').trim().split('\n'); const rows=[]; let tot=0;
for (const f of files){ const s=readFileSync(f,'utf8'); const t=performance.now(); new vm.SourceTextModule(s+'\n//'+Math.random()); const d=performance.now()-t; tot+=d; rows.push([d,s.length,f]);}
rows.sort((a,b)=>b[0]-a[0]); for(const [d,l,f] of rows.slice(0,14)) console.log(d.toFixed(1),(l/1024).toFixed(0)+'K',f.replace(/.*quick\//,'')); console.log('total',tot.toFixed(1));
