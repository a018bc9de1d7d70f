using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Rendezvous;

/// <summary>Runs <c>delay write</c> and <c>delay read</c> as users do.</summary>
internal static class RemoteProcess
{
    /// <summary>Starts the writer.</summary>
    public static ServiceProcess Write(string source, params string[] arguments) => ServiceProcess.Start(
        "Replication", ["delay", "write", "--source", source, .. Common, .. arguments]);

    /// <summary>Starts the reader.</summary>
    public static ServiceProcess Read(string destination, params string[] arguments) => ServiceProcess.Start(
        "Replication", ["delay", "read", "--destination", destination, .. Common, .. arguments]);

    /// <summary>Starts the reader with a monotonic clock that is so many seconds ahead.</summary>
    public static ServiceProcess ReadAhead(int seconds, string destination, params string[] arguments) =>
        ServiceProcess.StartAhead(
            seconds, "Replication", ["delay", "read", "--destination", destination, .. Common, .. arguments]);

    private static string[] Common => ["--format", "json", "--live", "none", "--peer-timeout", "100s"];
}
