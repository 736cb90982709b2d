// Unit tests with all of their cases, and as many servers as that; the unit tier tries a part of them.
import './thorough.mjs';
import '../unit/host/auth/accounts/accountStore.test.ts';
import '../unit/host/auth/network/browserAddress.test.ts';
import '../unit/host/auth/network/challenge.test.ts';
import '../unit/host/connection/everyField.test.ts';
import '../unit/host/connection/faults/manyServers.test.ts';
import '../unit/host/elicitation/readAddress.test.ts';
import '../unit/host/forms/formOf.test.ts';
import '../unit/host/json/parseInSteps.test.ts';
import '../unit/host/launch/fingerprint.test.ts';
import '../unit/host/launch/launchFingerprint.test.ts';
import '../unit/host/launch/question/launchOrders.test.ts';
import '../unit/host/resources/resourceAddress.test.ts';
import '../unit/host/roots/rootsOfManyServers.test.ts';
