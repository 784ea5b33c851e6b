// The program of the example operator, with leader election.
import { Manager } from 'evenkeel';
import { electedNginx } from './elected-nginx-operator.fixture.ts';

await Manager.run(electedNginx);
