import { runningManager } from '../package-manager/package-manager.ts';
import { fileNameOf, planProject } from './project-plan.ts';

const answers = { folder: 'cache-operator', kinds: 'Memcached', group: 'cache.example.com' };

describe('planProject()', () => {
  it('names the project after its folder, and trims the kinds', () => {
    const manager = runningManager('bun/1.4.5');
    const given = { ...answers, folder: '../a/shop', kinds: ' Shop , DNSZone,' };
    expect(planProject(given, '/home/me/projects', manager)).toEqual({
      folder: '/home/me/a/shop',
      name: 'shop',
      group: 'cache.example.com',
      kinds: ['Shop', 'DNSZone'],
      controllers: 'classes',
      hasGithubActions: false,
      hasDevcontainer: false,
      areGeneratedCommitted: false,
      runningManager: manager,
    });
  });

  it.each([
    [
      { folder: 'Cache' },
      /the folder's name "Cache", which becomes the name of the project, is invalid; use at most 40 /,
    ],
    [{ folder: 'a'.repeat(41) }, /use at most 40 lower-case letters/],
    [{ folder: '1cache' }, /is invalid, because Services are named after it; start it with a letter/],
    [{ folder: 'evenkeel' }, /is the name of a package that the project needs; choose another name/],
    [{ folder: 'node_modules' }, /the folder's name "node_modules".* is invalid/],
    [{ group: 'cache' }, /the API group "cache" is invalid; use a domain/],
    [{ group: 'Cache.example.com' }, /the API group "Cache.example.com" is invalid/],
    [{ group: 'cache.k8s.io' }, /"cache.k8s.io" is reserved for the Kubernetes project/],
    [{ group: 'x.kubernetes.io' }, /is reserved for the Kubernetes project/],
    [{ kinds: ' , ' }, /no kind is given; name at least one, such as --kind Memcached/],
    [{ kinds: 'memcached' }, /the kind "memcached" is invalid; use a name in CamelCase/],
    [{ kinds: "X'; process.exit()" }, /is invalid; use a name in CamelCase/],
    [{ kinds: 'Map' }, /the kind Map has the name of a global class of JavaScript/],
    [
      { kinds: 'Deployment' },
      /the name of the kind Deployment is already used in the project's sources; choose another name/,
    ],
    [{ kinds: 'Status' }, /the name of the kind Status is already used in the project's sources/],
    [{ kinds: 'DNSZone,DnsZone' }, /the kinds DNSZone and DnsZone are too similar: both would be dns-zone; rename one/],
    [{ kinds: 'Endpoint,Endpoints' }, /are too similar: both would be endpoints; rename one/],
    [{ kinds: 'Main' }, /the kind Main would replace src\/main.ts; choose another name/],
  ])('rejects %j', (mistake, message) => {
    expect(() => planProject({ ...answers, ...mistake }, '/home/me')).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringMatching(message) }),
    );
  });

  it('reports all mistakes at once', () => {
    const wrong = { folder: 'X', kinds: 'a,Map', group: 'b' };
    expect(() => planProject(wrong, '/')).toThrow(/name "X".*\n.*group "b".*\n.*kind "a".*\n.*kind Map /);
  });
});

describe('fileNameOf()', () => {
  it.each([
    ['Memcached', 'memcached'],
    ['RedisCluster', 'redis-cluster'],
    ['DNSZone', 'dns-zone'],
    ['S3Bucket', 's3-bucket'],
    ['HTTP2', 'http2'],
  ])('writes %s as %s', (kind, name) => expect(fileNameOf(kind)).toBe(name));
});
