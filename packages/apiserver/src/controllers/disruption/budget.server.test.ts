import { describeWithRealServer } from '../../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../../comparison.fixture.ts';
import { inOrder, itIsTheSame } from '../course.fixture.ts';
import { BudgetCourse, budgetCourses, widgetDefinition } from './budget-courses.fixture.ts';

async function embeddedServerWithWidgets(): Promise<ComparedServer> {
  const server = await embeddedServer({});
  await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgetDefinition });
  return server;
}

/** What was seen, without field managers, the random part of names, and the names that evictions record. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(inOrder(normalise(value)))
    .replaceAll(/"managedFields":\[.*?\],"name"/g, '"name"')
    .replaceAll(/\b(web|work)(?:-[bcdfghjklmnpqrstvwxz2456789]{6,10})?-[a-z0-9]{5}\b/g, '$1-<random>')
    .replaceAll(/("pod-template-hash":)"\w+"/g, '$1"<hash>"')
    .replaceAll(/\bweb-[bcdfghjklmnpqrstvwxz2456789]{6,10}\b/g, 'web-<hash>')
    .replaceAll(/("controller-revision-hash":)"[\w-]+(?:<hash>)?"/g, '$1"<hash>"');
  return JSON.parse(text);
}

describeWithRealServer('PodDisruptionBudgets on the real server and on the embedded one', () => {
  itIsTheSame(
    budgetCourses,
    () => Promise.all([realServer([], 'controllers', [widgetDefinition]), embeddedServerWithWidgets()]),
    (server, namespace) => new BudgetCourse(server, namespace),
    ({ seen }) => seen.map(plain),
    // Each Event once, because the real server merges repeated ones.
    async (course) => [...new Set((await course.events()).map((event) => plain(event) as string))],
  );
});
