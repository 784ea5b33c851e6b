import type { Pod } from '@evenkeel/kinds';
import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import { Course, itIsTheSame } from './course.fixture.ts';

class RequestsCourse extends Course {
  async create(name: string, requests: Readonly<Record<string, string>>): Promise<void> {
    const spec = { containers: [{ name: 'a', image: 'a:1', resources: { requests, limits: requests } }] };
    await this.send('POST', this.path('/api/v1', 'pods'), { metadata: { name }, spec });
  }

  async see(name: string, status: 'True' | 'False'): Promise<void> {
    const condition = await this.wait(
      `scheduled ${status}`,
      async () => {
        const pod = (await this.send('GET', this.path('/api/v1', 'pods', name))) as Pod;
        return pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
      },
      // A new node has a taint until it is ready.
      (seen) => seen?.status === status && !/untolerated taint/.test(seen.message ?? ''),
    );
    this.seen.push([name, condition?.reason, condition?.message]);
  }

  delete(name: string): Promise<unknown> {
    return this.send('DELETE', this.path('/api/v1', 'pods', name));
  }
}

/** Each needs more than half of the node, which has 64 CPUs and 256 Gi of memory. */
describeWithRealServer('the requests of pods on the real server and on the embedded one', () => {
  itIsTheSame<RequestsCourse>(
    {
      'are more than the node has': async (course) => {
        await course.create('huge', { cpu: '65', memory: '300Gi', 'example.com/gpu': '1' });
        await course.see('huge', 'False');
      },
      'fit once another pod is gone': async (course) => {
        await course.create('first', { memory: '200Gi' });
        await course.see('first', 'True');
        await course.create('second', { memory: '100Gi' });
        await course.see('second', 'False');
        await course.delete('first');
        await course.see('second', 'True');
      },
    },
    () => Promise.all([realServer([], 'nodes'), embeddedServer({})]),
    (server, namespace) => new RequestsCourse(server, namespace),
    ({ seen }) => normalise(seen),
    async () => [],
  );
});
