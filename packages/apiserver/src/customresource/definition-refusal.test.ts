import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';
import { definitionOf } from './definition-server.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

describe('the refusal of a definition', () => {
  it('shows a rule that does not compile as the real server does: as the Go struct that it is', async () => {
    const server = await ApiServer.create({ controllers: false });
    const spec = { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.missing > 1' }] };
    const definition = definitionOf('crontabs', 'CronTab', { schema: { properties: { spec } } });
    const { status, body } = await request(server.transport(), 'POST', definitions, definition);
    expect(status).toBe(422);
    expect(body.details.causes.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining(
        'Invalid value: {"Rule":"self.missing \\u003e 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field \'missing\'',
      ),
    ]);
    await server.close();
  });
});
