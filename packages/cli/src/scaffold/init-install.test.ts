import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Project } from '../project.fixture.ts';

let project: Project;
let server: Server;
let answer: number | undefined;
const before = { ...process.env };

beforeAll(async () => {
  server = createServer((request, response) => {
    if (answer === undefined) request.socket.destroy();
    else response.writeHead(answer).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  project = await Project.create({});
  process.env['npm_config_registry'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  process.env['npm_config_cache'] = `${project.folder}/cache`;
  process.env['npm_config_fetch_retries'] = '0';
  process.env['npm_config_update_notifier'] = 'false';
});
afterAll(async () => {
  process.env = before;
  server.closeAllConnections();
  server.close();
  await project.remove();
});

describe('the installation of the packages of a new project', () => {
  it.each([
    [500, /npm error 500 Internal Server Error/],
    [401, /npm error (?:code E401|401 Unauthorized)/],
    [undefined, /npm error code (?:ECONNRESET|ECONNREFUSED|FETCH_ERROR)|npm error .*socket hang up/],
  ])('fails if the registry responds with %p, and keeps the project', async (status, message) => {
    answer = status;
    const name = `shop-${status ?? 'none'}`;
    const { exitCode, output } = await project.process('init', name, '--yes', '--no-git');
    expect(output).toMatch(message);
    expect(output).toContain(`created ${name}: 11 files\n`);
    expect(output).toContain(`error: npm install failed; run cd ${name} && npm install\n`);
    expect(output).not.toContain('next:');
    expect(exitCode).toBe(1);
    expect(await project.read(`${name}/package.json`)).toContain(`"name": "${name}"`);
  });
});
