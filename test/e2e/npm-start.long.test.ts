// One file for all: they wait for leases, graces, an outage and each other's slot, and do it side by side.
import './scenarios/cancel.ts';
import './scenarios/crash.ts';
import './scenarios/half-way.ts';
import './scenarios/payroll.ts';
import './scenarios/queue.ts';
import './scenarios/restart.ts';
import { keepsItsPromises } from './scenarios/promises.ts';
import { onThisMachine } from './system-under-test.ts';

keepsItsPromises('on this machine', onThisMachine);
