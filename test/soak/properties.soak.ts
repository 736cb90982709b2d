// Unit tests with all of their cases; the unit tier tries a part of them.
import './thorough.mjs';
import '../unit/host/connection/everyField.test.ts';
import '../unit/host/launch/fingerprint.test.ts';
import '../unit/host/launch/launchFingerprint.test.ts';
import '../unit/host/launch/question/launchOrders.test.ts';
import '../unit/host/resources/resourceAddress.test.ts';
import '../unit/host/roots/rootsOfManyServers.test.ts';
