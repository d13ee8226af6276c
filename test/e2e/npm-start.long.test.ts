// One file for both: they wait for leases, graces and an outage, and do it side by side.
import './scenarios/crash.ts';
import './scenarios/restart.ts';
