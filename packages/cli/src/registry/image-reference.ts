import { EvenkeelError } from '@evenkeel/core';

/** The name of an image in a registry. */
export interface ImageReference {
  /** Host and port, such as `ghcr.io` or `localhost:5000`. */
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** The registry of names without one. */
const dockerHub = 'docker.io';
const repositoryForm = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*$/;
const registryForm = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;
const tagForm = /^\w[\w.-]{0,127}$/;
const digestForm = /^sha256:[0-9a-f]{64}$/;

/**
 * Parses a name by the rules of Docker: `node:24` is `docker.io/library/node:24`. The first part is a registry if it has a dot or
 * a port, or is `localhost`. Throws `invalid-image-reference`.
 *
 * @param option the option that contains the name, such as `--base`.
 */
export function parseImageReference(text: string, option: string): ImageReference {
  const [name = '', digest, ...more] = text.split('@');
  const [, path = name, tag] = /^(.*):([^/:]*)$/.exec(name) ?? [];
  const [first = '', ...rest] = path.split('/');
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const registry = hasRegistry ? first.toLowerCase() : dockerHub;
  const named = hasRegistry ? rest.join('/') : path;
  const repository = registry === dockerHub && !named.includes('/') ? `library/${named}` : named;
  const isValid =
    text.length <= 512 &&
    more.length === 0 &&
    registryForm.test(registry) &&
    repositoryForm.test(repository) &&
    (tag === undefined || tagForm.test(tag)) &&
    (digest === undefined || digestForm.test(digest));
  if (!isValid) {
    throw new EvenkeelError(
      'invalid-image-reference',
      `${option} ${JSON.stringify(text)}: invalid name of an image; write it like registry.example.com/team/sites:1.0, in lower case, with a tag or a digest (sha256:...)`,
    );
  }
  return {
    registry,
    repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The whole name, such as `docker.io/library/node:24`. */
export function fullName({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** The name that Docker shows, such as `node:24`. */
export function familiarName(reference: ImageReference): string {
  return fullName(reference).replace(/^docker\.io\/(?:library\/)?/, '');
}
