using RedisLatency.Fixtures;
using RedisLatency.Server;

namespace RedisLatency.Integration.Verdicts;

/// <summary>Workloads, on a server or on a cluster of which one primary is the target.</summary>
internal sealed class WorkloadScenario(string name, string rate) : MatrixScenario
{
    public const string ClosedLoop = "Workloads in the closed loop";
    public const string OpenLoop = "Workloads in the open loop";
    public const string OnCluster = "Workloads on a cluster";

    public const string Workloads = "Workloads";

    private const int Operations = 2_000;
    private const int LostEvery = 200;

    private InProcessServer? _scripted;
    private RedisClusterProcesses? _cluster;

    public override async Task Start(MatrixFault fault)
    {
        var uri = await StartTarget(fault);
        string[] limit = _scripted is not null
            ? ["--operations", $"{Operations}", "--command-timeout", "500ms", "--threshold", "service.p99<1h"]
            : ["--duration", "4s", "--command-timeout", "1s", "--threshold", fault == MatrixFault.Lost
                ? "service.p50<1h"
                : "service.max<1h"];
        var workloads = Own(ServiceProcess.Start("Workloads",
            [
                "run", "--redis", uri, "--mix", "get=1", "--records", "1000", "--warmup", "0s", "--rate", rate,
                "--connections", "10", "--connect-timeout", "1s", "--live", "plain",
                // Room for all that comes due in a pause, so that none of it stays unsent.
                .. rate == "0" ? Array.Empty<string>() : ["--max-in-flight", "200"], .. limit,
                .. MaxWhereGone("service", fault),
            ]));
        Services[Workloads] = workloads;
        if (_scripted is null)
            await workloads.Errors.WaitFor("a second of the measured phase", line => line.Contains("0:01 "));
    }

    public override async Task Happen(MatrixFault fault)
    {
        await base.Happen(fault);
        if (fault != MatrixFault.Lost || _cluster is null)
            return;
        // What is in flight then is lost: few of so many, whatever the machine comes to.
        using var connection = _cluster.Open(Target!);
        connection.Execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    }

    public override async Task<IReadOnlyDictionary<string, ServiceProcess>> End()
    {
        await Services[Workloads].End();
        _scripted?.Dispose();
        return Services;
    }

    public override string ToString() => name;

    private async Task<string> StartTarget(MatrixFault fault)
    {
        if (name == OnCluster)
        {
            var reason = ServerRequirement.ReasonToSkip("redis-server");
            Assert.SkipWhen(reason is not null, reason ?? string.Empty);
            // Nobody takes the target's place, and the others serve their slots on.
            _cluster = Own(await RedisClusterProcesses.Start(new()
            {
                ReplicasPerPrimary = 0,
                NodeTimeout = TimeSpan.FromMinutes(5),
            }));
            Target = _cluster.PrimaryOf(0);
            return _cluster.Uri;
        }

        if (fault != MatrixFault.Lost)
            return (Target = await StartServer()).Uri;
        _scripted = InProcessServer.Start();
        for (var lost = LostEvery / 2; lost < Operations; lost += LostEvery)
            _scripted.Faults.DropReply(lost, "get");
        return _scripted.Endpoint;
    }
}
