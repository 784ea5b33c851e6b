import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import type { ImageReference } from './image-reference.ts';

/** The credentials of a user for a registry. */
export type Credentials =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  /** A token that the registry's authentication server exchanges for others. */
  | { readonly kind: 'identity'; readonly token: string };

/** The name of Docker Hub in the files of `docker login`. */
const dockerHubKey = 'https://index.docker.io/v1/';
const helperTimeoutMs = 30_000;
const helperBytesMax = 64 * 1024;

/**
 * Returns the credentials that `docker login` or `podman login` stored for a registry; undefined if there are none. The file is
 * `REGISTRY_AUTH_FILE`, or `config.json` in `DOCKER_CONFIG`, or `~/.docker/config.json`. Throws `registry-credentials-invalid` if the
 * file or a credential helper cannot be used. No message contains a secret.
 */
export async function storedCredentials(
  image: Pick<ImageReference, 'registry' | 'repository'>,
  env: NodeJS.ProcessEnv,
): Promise<Credentials | undefined> {
  const folder = env['DOCKER_CONFIG'] || join(env['HOME'] || homedir(), '.docker');
  const file = env['REGISTRY_AUTH_FILE'] || join(folder, 'config.json');
  const config = await configIn(file);
  if (config === undefined) return undefined;
  const keys = keysOf(image);
  const helpers = objectIn(config, 'credHelpers');
  const helped = keys.find((key) => Object.hasOwn(helpers, key));
  const helper = helped === undefined ? config['credsStore'] : helpers[helped];
  if (typeof helper === 'string' && helper !== '') {
    const found = await fromHelper(helper, helped ?? serverOf(image.registry), file, env);
    if (found !== undefined || helped !== undefined) return found;
  }
  const auths = objectIn(config, 'auths');
  const key = keys.find((each) => Object.hasOwn(auths, each));
  return key === undefined ? undefined : fromEntry(auths[key], key, file);
}

/** The keys that may name a registry, the most specific first. Podman's may have a part of the repository. */
function keysOf({ registry, repository }: Pick<ImageReference, 'registry' | 'repository'>): string[] {
  const parts = repository.split('/');
  const paths = parts.map((_part, index) => `${registry}/${parts.slice(0, parts.length - index).join('/')}`);
  const hub = registry === 'docker.io' ? [dockerHubKey, 'index.docker.io', 'registry-1.docker.io'] : [];
  const forms = [`https://${registry}`, `https://${registry}/`, `https://${registry}/v1/`, `https://${registry}/v2/`];
  return [...paths, registry, ...hub, ...forms];
}

const serverOf = (registry: string): string => (registry === 'docker.io' ? dockerHubKey : registry);

async function configIn(file: string): Promise<JsonObject | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(file, (error as NodeJS.ErrnoException).code ?? 'not readable');
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // The message of the parser quotes the text, which contains secrets.
  }
  throw unusable(file, 'not a JSON object');
}

function objectIn(config: JsonObject, key: string): JsonObject {
  const value = config[key];
  return isJsonObject(value) ? value : {};
}

function fromEntry(entry: unknown, key: string, file: string): Credentials | undefined {
  if (!isJsonObject(entry)) throw unusable(file, `auths[${JSON.stringify(key)}] is not an object`);
  const { auth, identitytoken, username, password } = entry;
  if (typeof identitytoken === 'string' && identitytoken !== '') return { kind: 'identity', token: identitytoken };
  if (typeof auth === 'string' && auth !== '') {
    const [, name, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(auth, 'base64').toString('utf8')) ?? [];
    if (name === undefined || secret === undefined)
      throw unusable(file, `auths[${JSON.stringify(key)}].auth is not base64 of USER:PASSWORD`);
    return { kind: 'password', username: name, password: secret.replace(/\0+$/, '') };
  }
  if (typeof username === 'string' && typeof password === 'string') return { kind: 'password', username, password };
  return undefined;
}

/** Runs `docker-credential-HELPER get`, by the protocol of docker-credential-helpers. */
async function fromHelper(
  helper: string,
  server: string,
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<Credentials | undefined> {
  // Part of the name of a program.
  if (!/^[\w.-]{1,100}$/.test(helper)) throw unusable(file, `invalid credential helper ${JSON.stringify(helper)}`);
  const program = `docker-credential-${helper}`;
  const { exitCode, output } = await outputOf(program, server, env).catch((error: NodeJS.ErrnoException) => {
    throw unusable(file, error.code === 'ENOENT' ? `${program} is not in PATH` : `${program}: ${error.message}`);
  });
  if (exitCode !== 0) {
    if (/credentials not found|no credentials/i.test(output)) return undefined;
    throw unusable(file, `${program} get failed with exit code ${exitCode}`);
  }
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw unusable(file, `${program} get did not print JSON`);
  }
  const { Username: username, Secret: secret } = isJsonObject(answer) ? answer : ({} as JsonObject);
  if (typeof username !== 'string' || typeof secret !== 'string')
    throw unusable(file, `${program} get did not print Username and Secret`);
  return username === '<token>'
    ? { kind: 'identity', token: secret }
    : { kind: 'password', username, password: secret };
}

function outputOf(
  program: string,
  input: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['get'], { env, stdio: ['pipe', 'pipe', 'ignore'], timeout: helperTimeoutMs });
    let output = '';
    child.once('error', reject);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > helperBytesMax) child.kill();
    });
    child.once('close', (exitCode) => resolve({ exitCode, output }));
    // A helper may exit without reading.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function unusable(file: string, problem: string): EvenkeelError {
  return new EvenkeelError(
    'registry-credentials-invalid',
    `${file}: ${problem}; correct the file, or log in again with "docker login"`,
  );
}
