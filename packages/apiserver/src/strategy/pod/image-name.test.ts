import { defaultPullPolicy } from './image-name.ts';

describe('defaultPullPolicy', () => {
  it.each([
    'nginx',
    'nginx:latest',
    'library/nginx',
    'localhost/nginx',
    'localhost:5000/nginx',
    'example.com/a/b',
    'Example/nginx',
  ])('always pulls %s', (image) => {
    expect(defaultPullPolicy(image)).toBe('Always');
  });

  it.each([
    'nginx:1.29',
    'localhost:5000/nginx:1',
    `nginx@sha256:${'0'.repeat(64)}`,
    `nginx:1@sha256:${'0'.repeat(64)}`,
    'NGINX',
    'a//b',
    'nginx:',
    'nginx:a b',
    '',
  ])('pulls %j where it is not there', (image) => {
    expect(defaultPullPolicy(image)).toBe('IfNotPresent');
  });
});
