import { normaliseText } from './normalise.fixture.ts';

describe('normalise', () => {
  it("removes the events of the real server's repair loop, and no others", () => {
    const remark =
      '   Warning  ClusterIPNotAllocated  3s  ipallocator-repair-controller  Cluster IP is not allocated\n';
    const head = 'Events:\n  Type     Reason  Age  From  Message\n  ----     ------  ----  ----  -------\n';
    expect(normaliseText(`${head}${remark.slice(1)}`)).toBe('Events:  <none>\n');
    const other = '  Normal  Scaled  3s  nginx  from 1 to 2\n';
    expect(normaliseText(`${head}${remark.slice(1)}${other}`)).toContain('Scaled');
    expect(normaliseText(`${head}${other}`)).toContain('Scaled');
  });

  it('removes them from a list too, even if they occurred several times', () => {
    const head = 'LAST SEEN          TYPE      REASON                  OBJECT        MESSAGE\n';
    const remarks =
      '3s                 Warning   PortNotAllocated        Service/web   Port 30123 is not allocated; repairing\n' +
      '0s (x2 over 3s)    Warning   ClusterIPNotAllocated   Service/web   Cluster IP is not allocated; repairing\n';
    expect(normaliseText(`${head}${remarks}`)).toBe('No events found in demo namespace.\n');
    const other = '3s                 Normal    Scaled                  Nginx/web     from 1 to 2\n';
    expect(normaliseText(`${head}${remarks}${other}`)).toContain('Scaled');
    expect(normaliseText(`${head}${other}${remarks}`)).toContain('Scaled');
  });

  it('distinguishes the port of a server from a NodePort of any number', () => {
    expect(normaliseText('running at https://127.0.0.1:30123\n')).toBe('running at https://<server>\n');
    expect(normaliseText('80:30123/TCP\n')).toBe('80:<node-port>/TCP\n');
  });

  it('keeps everything else', () => {
    const text = 'NAME   READY   AGE\nweb    1/2     5m3s\n';
    expect(normaliseText(text)).toBe('NAME  READY  AGE\nweb  1/2  <age>\n');
    expect(normaliseText('image: nginx:1.29\nreplicas: 3\n')).toBe('image: nginx:1.29\nreplicas: 3\n');
  });
});
