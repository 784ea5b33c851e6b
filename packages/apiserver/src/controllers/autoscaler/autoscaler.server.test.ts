import type { HorizontalPodAutoscaler } from '@evenkeel/kinds';
import { describeWithRealServer } from '../../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../../comparison.fixture.ts';
import { Course, itIsTheSame } from '../course.fixture.ts';

class AutoscalerCourse extends Course {
  async create(replicas: number, spec: object = {}): Promise<void> {
    const labels = { app: 'web' };
    await this.send('POST', this.path('/apis/apps/v1', 'deployments'), {
      metadata: { name: 'web' },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
      },
    });
    await this.send('POST', this.path('/apis/autoscaling/v2', 'horizontalpodautoscalers'), {
      metadata: { name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 4,
        ...spec,
      },
    });
  }

  /** Records the status once the condition has this reason, and the replicas of the target. */
  async see(type: string, reason: string): Promise<void> {
    const path = this.path('/apis/autoscaling/v2', 'horizontalpodautoscalers', 'web');
    const { status } = await this.wait(
      reason,
      async () => (await this.send('GET', path)) as HorizontalPodAutoscaler,
      (seen) => seen.status?.conditions?.find((one) => one.type === type)?.reason === reason,
    );
    const target = (await this.send('GET', this.path('/apis/apps/v1', 'deployments', 'web'))) as {
      spec: { replicas: number };
    };
    this.seen.push({ status, replicas: target.spec.replicas });
  }

  events(): Promise<string[]> {
    return this.eventsOf('HorizontalPodAutoscaler');
  }
}

describeWithRealServer('autoscalers on the real server and on the embedded one', () => {
  itIsTheSame<AutoscalerCourse>(
    {
      'fails without metrics': async (course) => {
        await course.create(3);
        await course.see('ScalingActive', 'FailedGetResourceMetric');
      },
      'fails without a metric of pods and an external one': async (course) => {
        const target = { type: 'AverageValue', averageValue: '1' };
        const metrics = [
          { type: 'External', external: { metric: { name: 'queue' }, target } },
          { type: 'Pods', pods: { metric: { name: 'requests' }, target } },
        ];
        await course.create(3, { metrics });
        await course.see('ScalingActive', 'FailedGetExternalMetric');
      },
      'scales to the minimum': async (course) => {
        await course.create(1);
        await course.see('AbleToScale', 'SucceededRescale');
      },
      'scales to the maximum': async (course) => {
        await course.create(6);
        await course.see('AbleToScale', 'SucceededRescale');
      },
      'is disabled by a target of 0': async (course) => {
        await course.create(0);
        await course.see('ScalingActive', 'ScalingDisabled');
      },
      'fails without a target': async (course) => {
        await course.create(1, { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'none' } });
        await course.see('AbleToScale', 'FailedGetScale');
      },
      'fails with a target of an unknown kind': async (course) => {
        await course.create(1, { scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'Nothing', name: 'none' } });
        await course.see('AbleToScale', 'FailedGetScale');
      },
    },
    () => Promise.all([realServer([], 'controllers'), embeddedServer({})]),
    (server, namespace) => new AutoscalerCourse(server, namespace),
    ({ seen }) => normalise(seen),
    // Each Event once, because the real controller repeats them.
    async (course) => [...new Set(await course.events())],
  );
});
