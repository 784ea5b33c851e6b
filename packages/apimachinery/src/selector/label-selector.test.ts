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
  ])('parses %j', (text, matching, other) => {
    const requirements = parseLabelSelector(text);
    for (const labels of matching) expect(matchesLabels(requirements, labels as Record<string, string>)).toBe(true);
    for (const labels of other) expect(matchesLabels(requirements, labels as Record<string, string>)).toBe(false);
    expect(parseLabelSelector(formatLabelSelector(requirements))).toEqual(requirements);
  });

  it.each(['app=web,', 'in (a)', 'tier in a', 'tier in (a', '=x', 'a b'])('rejects %j', (text) => {
    expect(() => parseLabelSelector(text)).toThrow(LabelSelectorError);
  });

  it('ignores labels on the prototype', () => {
    expect(matchesLabels(parseLabelSelector('toString'), {})).toBe(false);
  });
});

describe('formatLabelSelector', () => {
  it('formats a metav1.LabelSelector', () => {
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
    'rejects labels that would change the selector: %j',
    (matchLabels) => {
      expect(() => formatLabelSelector(labelRequirementsOf({ matchLabels }))).toThrow(LabelSelectorError);
    },
  );

  it('rejects an unknown operator, which matches nothing', () => {
    const requirements = labelRequirementsOf({
      matchExpressions: [{ key: 'app', operator: 'Matches', values: ['w'] }],
    });
    expect(() => formatLabelSelector(requirements)).toThrow('"Matches" is not a valid label selector operator');
    expect(matchesLabels(requirements, { app: 'w' })).toBe(false);
  });
});
