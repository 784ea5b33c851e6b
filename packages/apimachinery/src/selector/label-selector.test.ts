import {
  formatLabelSelector,
  LabelSelectorError,
  labelRequirementsOf,
  matchesLabels,
  parseLabelSelector,
} from './label-selector.ts';

describe('parseLabelSelector', () => {
  it.each([
    ['', [{}, { app: 'web' }], []],
    ['app=web', [{ app: 'web' }], [{}, { app: 'db' }]],
    ['app==web,tier!=back', [{ app: 'web' }, { app: 'web', tier: 'front' }], [{ app: 'web', tier: 'back' }]],
    ['tier in (a, b)', [{ tier: 'a' }, { tier: 'b' }], [{ tier: 'c' }, {}]],
    ['tier notin (a,b)', [{ tier: 'c' }, {}], [{ tier: 'a' }]],
    ['app', [{ app: '' }], [{}]],
    ['!app', [{}], [{ app: 'x' }]],
    ['size>3', [{ size: '4' }], [{ size: '3' }, { size: 'x' }, {}]],
    ['empty=', [{ empty: '' }], [{ empty: 'x' }]],
    ['app,!old', [{ app: '1' }], [{ app: '1', old: '' }]],
  ])('reads %j', (text, matching, other) => {
    const requirements = parseLabelSelector(text);
    for (const labels of matching) expect(matchesLabels(requirements, labels as Record<string, string>)).toBe(true);
    for (const labels of other) expect(matchesLabels(requirements, labels as Record<string, string>)).toBe(false);
    expect(parseLabelSelector(formatLabelSelector(requirements))).toEqual(requirements);
  });

  it.each(['app=web,', 'in (a)', 'tier in a', 'tier in (a', '=x', 'a b'])('refuses %j', (text) => {
    expect(() => parseLabelSelector(text)).toThrow(LabelSelectorError);
  });

  it('does not find labels on the prototype', () => {
    expect(matchesLabels(parseLabelSelector('toString'), {})).toBe(false);
  });
});

describe('formatLabelSelector', () => {
  it('writes what a metav1.LabelSelector says', () => {
    const requirements = labelRequirementsOf({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'track', operator: 'NotIn', values: ['canary'] },
      ],
    });
    expect(formatLabelSelector(requirements)).toBe('app=web,tier in (a,b),!old,track!=canary');
  });

  it.each<Record<string, string>>([{ app: 'web,tenant!=other' }, { 'app in (a)': '' }, { app: 'a b' }])(
    'lets no text of an object select anything else: %j',
    (matchLabels) => {
      expect(() => formatLabelSelector(labelRequirementsOf({ matchLabels }))).toThrow(LabelSelectorError);
    },
  );

  it('does not take an unknown operator for the presence of the label, which also matches nothing', () => {
    const requirements = labelRequirementsOf({
      matchExpressions: [{ key: 'app', operator: 'Matches', values: ['w'] }],
    });
    expect(() => formatLabelSelector(requirements)).toThrow('"Matches" is not a valid label selector operator');
    expect(matchesLabels(requirements, { app: 'w' })).toBe(false);
  });
});
