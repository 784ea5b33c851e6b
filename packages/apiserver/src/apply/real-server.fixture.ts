import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject } from '../patch/json-value.ts';
import type { SchemaNode } from './schema-node.ts';

const envtest = fileURLToPath(new URL('../../../../../shared/envtest', import.meta.url));

/** Whether a real control plane lies beside the repository. */
export const hasRealServer = existsSync(join(envtest, 'up'));

/** An answer of the server. */
export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

/** A real API server, started for a test. */
export class RealServer {
  readonly #dir = mkdtempSync(join(tmpdir(), 'evenkeel-apply-'));
  readonly #url: string;
  readonly #agent: Agent;

  constructor() {
    const kubeconfig = execFileSync(join(envtest, 'up'), [this.#dir], { encoding: 'utf8' }).trim();
    const text = readFileSync(kubeconfig, 'utf8');
    this.#url = /server: "([^"]+)"/.exec(text)?.[1] ?? '';
    const ca = readFileSync(/certificate-authority: "([^"]+)"/.exec(text)?.[1] ?? '');
    this.#agent = new Agent({ keepAlive: true, ca });
  }

  stop(): void {
    this.#agent.destroy();
    execFileSync(join(envtest, 'down'), [this.#dir]);
    rmSync(this.#dir, { recursive: true, force: true });
  }

  send(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Answer> {
    const headers = { authorization: 'Bearer admin-token', 'content-type': contentType, 'user-agent': 'tester/1.0' };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { method, agent: this.#agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: parsed(text) }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** The kind's schema as the server publishes it, its references followed; undefined until it does. */
  async schema(groupVersion: string, kind: string): Promise<SchemaNode | undefined> {
    const { body } = await this.send('GET', `/openapi/v3/${groupVersion}`);
    const { schemas } = (body['components'] ?? {}) as { schemas?: Record<string, JsonObject> };
    if (schemas === undefined) return undefined;
    const name = Object.keys(schemas).find((key) => {
      const kinds = schemas[key]?.['x-kubernetes-group-version-kind'];
      return Array.isArray(kinds) && kinds.length === 1 && (kinds[0] as { kind: string }).kind === kind;
    });
    return name === undefined ? undefined : new Linker(schemas).definition(name);
  }
}

function parsed(text: string): JsonObject {
  return text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {};
}

class Linker {
  readonly #schemas: Record<string, JsonObject>;
  readonly #definitions = new Map<string, SchemaNode>();

  constructor(schemas: Record<string, JsonObject>) {
    this.#schemas = schemas;
  }

  definition(name: string): SchemaNode {
    let node = this.#definitions.get(name);
    if (node === undefined) {
      node = {};
      this.#definitions.set(name, node);
      Object.assign(node, this.#link(this.#schemas[name] ?? {}));
    }
    return node;
  }

  #link(raw: JsonObject): SchemaNode {
    const { allOf, $ref, description: _, properties, items, additionalProperties, ...rest } = raw;
    const [first] = Array.isArray(allOf) ? (allOf as JsonObject[]) : [];
    const reference = ($ref ?? first?.['$ref']) as string | undefined;
    const target = reference === undefined ? {} : this.definition(reference.slice(reference.lastIndexOf('/') + 1));
    const node = { ...target, ...rest } as SchemaNode & Record<string, unknown>;
    if (isJsonObject(properties)) {
      node.properties = Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, this.#link(property as JsonObject)]),
      );
    }
    if (isJsonObject(items)) node.items = this.#link(items);
    if (isJsonObject(additionalProperties)) node.additionalProperties = this.#link(additionalProperties);
    else if (typeof additionalProperties === 'boolean') node.additionalProperties = additionalProperties;
    return node;
  }
}
