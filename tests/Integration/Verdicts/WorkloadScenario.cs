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
    private const int Connections = Operations / LostEvery;

    private InProcessServer? _scripted;
    private RedisClusterProcesses? _cluster;

    public override async Task Start(MatrixFault fault)
    {
        var uri = await StartTarget(fault);
        // What a primary of a cluster is asked is lost while the run goes on, so that this must last, and no more may
        // be in flight than is to be lost. Else there is room for all that comes due in a pause, and none stays unsent.
        var losesInFlight = fault == MatrixFault.Lost && _cluster is not null;
        var perSecond = losesInFlight ? "500" : rate;
        string[] room = perSecond == "0" ? [] : ["--max-in-flight", losesInFlight ? "1" : "200"];
        // A busy machine pauses the process for longer than it was told to, and no reply may be given up for that.
        var patience = fault == MatrixFault.MachinePaused ? "10s" : "1s";
        string[] limit = fault == MatrixFault.Lost
            ? ["--operations", $"{Operations}", "--command-timeout", "500ms", "--threshold", "service.p99<1h"]
            : ["--duration", "4s", "--command-timeout", patience, "--threshold", "service.max<1h"];
        var workloads = Own(ServiceProcess.Start("Workloads",
            [
                "run", "--redis", uri, "--mix", "get=1", "--records", "1000", "--warmup", "0s", "--rate", perSecond,
                "--connections", $"{Connections}", "--connect-timeout", "1s", "--live", "plain",
                .. room, .. limit, .. MaxWhereGone("service", fault),
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
        // As many as the primary has connections wait for longer than a time-out: so many are lost of all, or fewer.
        using var connection = _cluster.Open(Target!);
        connection.Execute("CLIENT", "PAUSE", "800", "ALL");
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
