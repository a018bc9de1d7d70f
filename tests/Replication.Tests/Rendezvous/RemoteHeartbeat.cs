using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Rendezvous;

/// <summary>Runs <c>delay write --continuous</c> and <c>delay read --continuous</c> as users do.</summary>
internal static class RemoteHeartbeat
{
    /// <summary>Starts the writer; metrics are served at a free port.</summary>
    public static ServiceProcess Write(string source, params string[] arguments) =>
        ServiceProcess.Start("Replication", Words("write", "--source", source, arguments));

    /// <summary>Starts the writer with a monotonic clock that is so many seconds ahead.</summary>
    public static ServiceProcess WriteAhead(int seconds, string source, params string[] arguments) => seconds == 0
        ? Write(source, arguments)
        : ServiceProcess.StartAhead(seconds, "Replication", Words("write", "--source", source, arguments));

    /// <summary>Starts a reader.</summary>
    public static ServiceProcess Read(string destination, params string[] arguments) =>
        ServiceProcess.Start("Replication", Words("read", "--destination", destination, arguments));

    private static string[] Words(string verb, string end, string endpoint, string[] arguments) =>
    [
        "delay", verb, "--continuous", end, endpoint, "--format", "json", "--metrics", "http://127.0.0.1:0", .. arguments,
    ];
}
