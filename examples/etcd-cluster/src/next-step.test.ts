import { quorumOf } from 'evenkeel/lifecycle';
import { type ClusterView, type Member, type MemberPod, nextStep, type Step } from './next-step.ts';

/** Each way in which a member and its pod can be. */
const states = {
  works: { isHealthy: true },
  'works, evicted': { isHealthy: true, pod: { isTerminating: true } },
  'does not respond': { isHealthy: false },
  'does not run': { isHealthy: false, pod: { isRunning: false } },
  'has failed': { isHealthy: false, pod: { isRunning: false, isLost: true } },
  'is evicted': { isHealthy: false, pod: { isRunning: false, isTerminating: true } },
  'has no pod': { isHealthy: false, pod: undefined },
} as const;
type State = keyof typeof states;

const podOf = (name: string, version: string, more: object = {}): MemberPod => ({
  ...{
    name,
    uid: name,
    version,
    restore: undefined,
    isTerminating: false,
    isReady: true,
    isRunning: true,
    isLost: false,
    ...more,
  },
});

const memberOf = (index: number, state: State, version: string, isLearner = false): Member => {
  const { isHealthy } = states[state];
  const pod =
    state === 'has no pod' ? undefined : podOf(`db-${index}`, version, (states[state] as { pod?: object }).pod);
  return { id: `${index}`, name: `db-${index}`, isLearner, isLeader: index === 0, isHealthy, pod };
};

const viewOf = (members: readonly Member[], more: Partial<ClusterView> = {}): ClusterView => ({
  ...{ size: members.length, version: '3.6.1', members, pods: members.flatMap(({ pod }) => pod ?? []), ...more },
});

/** All clusters of up to so many members that have a quorum, in all states, with all sizes that users may want. */
function* views(most: number): Iterable<ClusterView> {
  const kinds = (Object.keys(states) as State[]).flatMap((state) =>
    ['3.6.0', '3.6.1'].map((version) => ({ state, version })),
  );
  for (let count = 1; count <= most; count++) {
    for (let code = 0; code < kinds.length ** count; code++) {
      const chosen = Array.from(
        { length: count },
        (_, place) => kinds[Math.floor(code / kinds.length ** place) % kinds.length],
      );
      for (const isLearning of count > 1 ? [false, true] : [false]) {
        const members = chosen.map((kind, index) =>
          memberOf(index, kind?.state ?? 'works', kind?.version ?? '', isLearning && index === count - 1),
        );
        const voters = members.filter(({ isLearner }) => !isLearner);
        if (voters.filter(({ isHealthy }) => isHealthy).length < quorumOf(voters.length)) continue;
        for (const size of [1, count, 5]) yield viewOf(members, { size });
      }
    }
  }
}

/** The members after a step, if nothing else happens to them. */
function after({ members, version, ...view }: ClusterView, step: Step): ClusterView {
  const next = (changed: readonly Member[]): ClusterView => ({
    ...view,
    ...viewOf(changed, { version, size: view.size }),
  });
  switch (step.do) {
    case 'add-learner':
      return next([
        ...members,
        { ...memberOf(members.length + 10 * view.size, 'works', version, true), isLeader: false },
      ]);
    case 'promote':
      return next(members.map((one) => (one === step.member ? { ...one, isLearner: false } : one)));
    case 'remove':
      return next(members.filter((one) => one !== step.member));
    case 'move-leader':
      return next(members.map((one) => ({ ...one, isLeader: one === step.to })));
    case 'upgrade':
      return next(
        members.map((one) => (one === step.member ? { ...one, isHealthy: true, pod: podOf(one.name, version) } : one)),
      );
    default:
      // Time passes: what starts or is evicted has done so, and what does not run is given up.
      return next(
        members.map((one) => {
          const isGone = one.pod?.isTerminating === true;
          if (isGone) return { ...one, isHealthy: false, pod: undefined };
          if (one.pod?.isRunning === true) return { ...one, isHealthy: true };
          return one.pod === undefined ? one : { ...one, pod: { ...one.pod, isLost: true } };
        }),
      );
  }
}

const describeView = ({ members, size }: ClusterView): string =>
  `${size} of ${members.map(({ isHealthy, isLearner, pod }) => JSON.stringify({ isHealthy, isLearner, pod })).join(' ')}`;

describe('nextStep', () => {
  it('keeps a quorum in every state: a working member is stopped only if all others work', () => {
    const wrong: string[] = [];
    let count = 0;
    for (const view of views(4)) {
      count++;
      const step = nextStep(view);
      const subject = 'member' in step ? step.member : undefined;
      const others = view.members.filter((one) => one !== subject);
      const voters = others.filter(({ isLearner }) => !isLearner);
      const healthy = voters.filter(({ isHealthy }) => isHealthy).length;
      const isKept =
        (step.do !== 'remove' || healthy >= quorumOf(voters.length)) &&
        (step.do !== 'remove' || subject?.isHealthy !== true || subject.isLearner || healthy === voters.length) &&
        (step.do !== 'upgrade' || subject?.pod?.isRunning !== true || others.every(({ isHealthy }) => isHealthy)) &&
        (step.do !== 'promote' ||
          (subject?.isHealthy === true && view.members.every((one) => one === subject || !one.isLearner))) &&
        (step.do !== 'add-learner' || view.members.every(({ isHealthy, isLearner }) => isHealthy && !isLearner));
      if (!isKept) wrong.push(`${step.do} ${subject?.name}: ${describeView(view)}`);
    }
    expect(count).toBeGreaterThan(10_000);
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it('reaches the wanted size and version from every state that keeps a quorum', () => {
    const stuck: string[] = [];
    for (const view of views(3)) {
      let now = view;
      let steps = 0;
      for (; steps < 60; steps++) {
        const step = nextStep(now);
        if (step.do === 'nothing') break;
        now = after(now, step);
        const voters = now.members.filter(({ isLearner }) => !isLearner);
        // Evictions may have cost the quorum, for which no step is asked.
        if (voters.filter(({ isHealthy }) => isHealthy).length < quorumOf(voters.length)) break;
      }
      const isDone = now.members.length === now.size && now.members.every(({ pod }) => pod?.version === now.version);
      const voters = now.members.filter(({ isLearner }) => !isLearner);
      const hasQuorum = voters.filter(({ isHealthy }) => isHealthy).length >= quorumOf(voters.length);
      if (hasQuorum && !isDone) stuck.push(`${JSON.stringify(nextStep(now))}: ${describeView(view)}`);
    }
    expect(stuck.slice(0, 3)).toEqual([]);
  });

  it('upgrades the leader last, after another member has taken its role', () => {
    const old = [0, 1, 2].map((index) => memberOf(index, 'works', '3.6.0'));
    const order: string[] = [];
    for (let view = viewOf(old), step = nextStep(view); step.do !== 'nothing'; step = nextStep(view)) {
      order.push(
        step.do === 'move-leader' ? `leader ${step.to.name}` : `${step.do} ${'member' in step ? step.member.name : ''}`,
      );
      view = after(view, step);
    }
    expect(order).toEqual(['upgrade db-1', 'upgrade db-2', 'leader db-1', 'upgrade db-0']);
  });

  it('corrects an upgrade to an image that does not start', () => {
    const stuck = memberOf(1, 'does not run', '3.6.9');
    const view = viewOf([memberOf(0, 'works', '3.6.1'), stuck, memberOf(2, 'works', '3.6.1')]);
    expect(nextStep(view)).toMatchObject({ do: 'upgrade', member: { name: 'db-1' } });
  });

  it('deletes the pod of a removed member before everything else', () => {
    const members = [memberOf(0, 'works', '3.6.1')];
    const pods = [...members.flatMap(({ pod }) => pod ?? []), podOf('db-3', '3.6.1')];
    expect(nextStep(viewOf(members, { pods, size: 3 }))).toMatchObject({ do: 'delete-pod', pod: { name: 'db-3' } });
  });
});
