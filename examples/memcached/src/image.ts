import { provider, token } from 'evenkeel';

/** The container image of memcached. */
export const image = token<string>('image');

/** Reads the image from the environment, so that a new version of memcached needs no new operator. */
export const imageFromEnvironment = provider({
  provide: image,
  useFactory: () => process.env['MEMCACHED_IMAGE'] ?? 'memcached:1.6.39-alpine',
});
