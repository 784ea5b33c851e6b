import { kubectlName } from './kubectl-name.ts';

describe('kubectlName', () => {
  it('is the plural, with the group if a built-in resource has the same plural', () => {
    expect(kubectlName({ group: 'web.example.com', plural: 'nginxes' })).toBe('nginxes');
    expect(kubectlName({ group: 'batch.example.com', plural: 'cronjobs' })).toBe('cronjobs.batch.example.com');
    expect(kubectlName({ group: 'batch', plural: 'cronjobs' })).toBe('cronjobs');
  });
});
