using System.Net;
using System.Text;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// The verb <c>health PROCESS</c>: what <c>/healthz</c> of a running service says, for a container without a shell to
/// ask with.
/// </summary>
public static class HealthCommand
{
    private const string Option = "--metrics";
    private const string Variable = "REDISLATENCY__Telemetry__Metrics";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(3);

    public static ServiceCommand Create() => new ServiceCommand<HealthOptions>(
        "health",
        "Asks a service of this machine whether it is well: the health check of a container. Exits with 1 if not.",
        new OptionCatalogue<HealthOptions>("Health")
            .AddArgument("PROCESS", o => o.Process, Syntax.SmallCount(1, int.MaxValue),
                $"The id of its process; its command line, or the variable {Variable}, says where it serves metrics, "
                    + "and without them it is well as long as it runs",
                required: false),
        (run, cancellation) => Check(run.Options.Values.Process, run.Surroundings, cancellation))
    {
        Examples = [new("Of the service of this container", "health")],
    };

    private static async Task<int> Check(
        int process, CommandSurroundings surroundings, CancellationToken cancellation)
    {
        string[] line;
        try
        {
            var bytes = await File.ReadAllBytesAsync($"/proc/{process}/cmdline", cancellation).ConfigureAwait(false);
            line = Encoding.UTF8.GetString(bytes).Split('\0');
        }
        catch (IOException)
        {
            return Answer("there is no such process", isWell: false);
        }

        if ((AddressIn(line) ?? surroundings.Environment.GetValueOrDefault(Variable)) is not { Length: > 0 } given)
            return ExitCode.Valid;
        if (MetricsAddress.Parse(given) is not { } address)
            return Answer(MetricsAddress.Problem(given)!, isWell: false);
        var (isWell, said) = await Ask(address, cancellation).ConfigureAwait(false);
        return Answer(said, isWell);

        int Answer(string said, bool isWell)
        {
            surroundings.Output.WriteLine(said.TrimEnd());
            return isWell ? ExitCode.Valid : ExitCode.Fault;
        }
    }

    // The last one, as the service itself would refuse two.
    private static string? AddressIn(string[] line)
    {
        var at = Array.FindLastIndex(
            line, word => word == Option || word.StartsWith($"{Option}=", StringComparison.Ordinal));
        return at < 0 ? null : line[at] == Option ? line.ElementAtOrDefault(at + 1) : line[at][(Option.Length + 1)..];
    }

    private static async Task<(bool IsWell, string Said)> Ask(IPEndPoint address, CancellationToken cancellation)
    {
        // Every address of this machine is no address to ask.
        var place = address.Address.Equals(IPAddress.Any) ? new IPEndPoint(IPAddress.Loopback, address.Port)
            : address.Address.Equals(IPAddress.IPv6Any) ? new IPEndPoint(IPAddress.IPv6Loopback, address.Port)
            : address;
        using var handler = new SocketsHttpHandler { UseProxy = false };
        using var client = new HttpClient(handler) { Timeout = Limit };
        try
        {
            using var answer = await client.GetAsync(new Uri($"http://{place}/healthz"), cancellation)
                .ConfigureAwait(false);
            var said = await answer.Content.ReadAsStringAsync(cancellation).ConfigureAwait(false);
            return (answer.StatusCode == HttpStatusCode.OK, said);
        }
        catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
        {
            return (false, failure.Message);
        }
    }
}

internal sealed class HealthOptions
{
    public int Process { get; set; } = 1;
}
