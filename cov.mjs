import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { TraceMap, originalPositionFor, eachMapping } from '@jridgewell/trace-mapping';
const dir='/tmp/cov/'; const rows={};
for(const f of readdirSync(dir)){ const {result}=JSON.parse(readFileSync(dir+f));
 for(const s of result){ if(!s.url.startsWith('file:')||!/packages/.test(s.url)) continue; const path=new URL(s.url); const src=readFileSync(path,'utf8'); if(!existsSync(path.pathname+'.map')) continue; const map=new TraceMap(readFileSync(path.pathname+'.map','utf8'));
  const covered=new Uint8Array(src.length).fill(1);
  for(const fn of s.functions) for(const r of fn.ranges) covered.fill(r.count>0?1:0,r.startOffset,r.endOffset);
  const lineSrc=[]; eachMapping(map,m=>{ if(m.source) lineSrc[m.generatedLine]??=m.source; });
  let off=0, line=1, cur='?'; for(const l of src.split('\n')){ cur=lineSrc[line]??cur; const k=cur.replace(/^(\.\.\/)+/,''); const pk=s.url.replace(/.*packages\//,'').split('/')[0]; const r=rows[pk+' '+k]??={bytes:0,used:0,file:s.url.replace(/.*dist\//,'')}; r.bytes+=l.length+1; for(let i=off;i<off+l.length;i++) r.used+=covered[i]; off+=l.length+1; line++; }
 }}
const es=Object.entries(rows);
const by={}; for(const [k,r] of es){const d=k.split('/').slice(0,2).join('/').replace(/\/[^/]*\.ts$/,''); const b=by[d]??={bytes:0,used:0}; b.bytes+=r.bytes;b.used+=r.used;}
const show=(x)=>x.sort((a,b)=>(b[1].bytes-b[1].used)-(a[1].bytes-a[1].used)).map(([k,v])=>String(v.bytes).padStart(7)+String(v.used).padStart(7)+' '+(100*v.used/v.bytes).toFixed(0).padStart(3)+'% '+k+' '+(v.file??'')).join('\n');
console.log(show(Object.entries(by)).split('\n').slice(0,60).join('\n')); console.log('files'); console.log(show(es).split('\n').slice(0,110).join('\n'));
