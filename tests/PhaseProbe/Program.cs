using Microsoft.Extensions.DependencyInjection;
using RedisLatency.Hosting.Running;
using RedisLatency.PhaseProbe;

var script = ProbeScript.Parse(args);
return RunHost.Run<ProbeRun>(script.Verbosity, services => services.AddSingleton(script));
