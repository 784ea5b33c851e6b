import { kubectlName } from './kubectl-name.ts';

describe('kubectlName', () => {
  it('is the plural, with the group where Kubernetes has that plural too', () => {
    expect(kubectlName({ group: 'web.example.com', plural: 'nginxes' })).toBe('nginxes');
    expect(kubectlName({ group: 'batch.example.com', plural: 'cronjobs' })).toBe('cronjobs.batch.example.com');
    expect(kubectlName({ group: 'batch', plural: 'cronjobs' })).toBe('cronjobs');
  });
});
