import { normaliseText } from './normalise.fixture.ts';

describe('what is normalised', () => {
  it("leaves out the remarks of the real server's repair loop, and no other events", () => {
    const remark =
      '   Warning  ClusterIPNotAllocated  3s  ipallocator-repair-controller  Cluster IP is not allocated\n';
    const head = 'Events:\n  Type     Reason  Age  From  Message\n  ----     ------  ----  ----  -------\n';
    expect(normaliseText(`${head}${remark.slice(1)}`)).toBe('Events:  <none>\n');
    const other = '  Normal  Scaled  3s  nginx  from 1 to 2\n';
    expect(normaliseText(`${head}${remark.slice(1)}${other}`)).toContain('Scaled');
    expect(normaliseText(`${head}${other}`)).toContain('Scaled');
  });

  it('keeps what may not differ', () => {
    const text = 'NAME   READY   AGE\nweb    1/2     5m3s\n';
    expect(normaliseText(text)).toBe('NAME  READY  AGE\nweb  1/2  <age>\n');
    expect(normaliseText('image: nginx:1.29\nreplicas: 3\n')).toBe('image: nginx:1.29\nreplicas: 3\n');
  });
});
