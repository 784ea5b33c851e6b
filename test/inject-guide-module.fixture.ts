import { ContainerModule } from 'inversify';
import { Dns, HttpDns } from './inject-guide.fixture.ts';

export const dnsModule = new ContainerModule(({ bind }) => {
  bind(Dns).to(HttpDns).inSingletonScope();
});
