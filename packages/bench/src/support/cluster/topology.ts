/** A kind of process and what it runs (SERVICES). All but the sandbox run twice. */
export interface Role {
  name: string;
  services: string;
}

export const EDGE: Role = { name: "edge", services: "http" };
export const SANDBOX: Role = { name: "sandbox", services: "sandbox" };

/** Topologies by the number of kinds of processes that share the services. */
export const TOPOLOGIES = {
  /** Entry points, and all services: quick to start. */
  small: [
    {
      name: "shop",
      services:
        "cart,payment,order,customer,user,access,settings,mail,webhook,catalog,dis-router,search,ai,pipeline,media,eventstore,analytics,health-analytics",
    },
  ],
  full: [
    { name: "commerce", services: "cart,payment,order,customer,user,access,settings,mail,webhook" },
    { name: "finding", services: "catalog,search,dis-router" },
    { name: "knowing", services: "ai,pipeline,media,eventstore,analytics,health-analytics" },
  ],
} as const satisfies Record<string, readonly Role[]>;

export type Topology = keyof typeof TOPOLOGIES;
