using RedisLatency.Fixtures;
using RedisLatency.Server;

namespace RedisLatency.Integration.Verdicts;

/// <summary>A Producer and a Consumer.</summary>
internal sealed class PairScenario(string name, string rate) : MatrixScenario
{
    public const string ClosedLoop = "Producer in the closed loop, Consumer";
    public const string OpenLoop = "Producer in the open loop, Consumer";

    public const string Producer = "Producer";
    public const string Consumer = "Consumer";

    // What is lost is in what the Producer sends, so that the Consumer misses it too.
    private const string Ping = "redislatency:default:ping";
    private const int Messages = 2_000;
    private const int LostEvery = 200;

    private InProcessServer? _scripted;

    public override async Task Start(MatrixFault fault)
    {
        if (fault == MatrixFault.Lost)
            _scripted = Scripted();
        else
            Target = await StartServer();
        string[] shared = ["--redis", _scripted?.Endpoint ?? Target!.Uri];
        var consumer = Own(ServiceProcess.Start("Consumer", [.. shared, "--threshold", "residence.max<1h"]));
        await consumer.Errors.WaitFor("Serving ");
        string[] limit = fault == MatrixFault.Lost
            ? ["--iterations", $"{Messages}", "--threshold", "rtt.p99<1h"]
            : ["--duration", "4s", "--threshold", "rtt.max<1h", .. MaxWhereGone("rtt", fault)];
        var producer = Own(ServiceProcess.Start(
            "Producer", [.. shared, "--rate", rate, "--warmup", "0", "--receive-deadline", "500ms", .. limit]));
        (Services[Consumer], Services[Producer]) = (consumer, producer);
        if (fault != MatrixFault.Lost)
            await producer.Errors.WaitFor(" measure ");
    }

    public override async Task<IReadOnlyDictionary<string, ServiceProcess>> End()
    {
        await Services[Producer].End();
        await Services[Consumer].EndBy("TERM");
        _scripted?.Dispose();
        return Services;
    }

    public override string ToString() => name;

    // No two in a row, and not the last: what comes then shows that the run went on.
    private static InProcessServer Scripted()
    {
        var server = InProcessServer.Start();
        for (var lost = LostEvery / 2; lost < Messages; lost += LostEvery)
            server.Faults.DropMessage(lost, Ping);
        return server;
    }
}
