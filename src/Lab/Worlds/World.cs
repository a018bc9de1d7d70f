using System.Globalization;
using RedisLatency.Server.Clients;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Worlds;

/// <summary>What is planted: two clocks, the way between them, and what goes wrong.</summary>
internal sealed record World
{
    /// <summary>No clock changes before this share of the run is over.</summary>
    public const double EarliestChange = 0.1;

    public string Name { get; init; } = string.Empty;

    /// <summary>How long messages are measured.</summary>
    public TimeSpan Length { get; init; }

    /// <summary>Messages per second.</summary>
    public double Rate { get; init; } = 500;

    /// <summary>Whole seconds by which the consumer's time namespace is ahead; zero for none.</summary>
    public long NamespaceSeconds { get; init; }

    /// <summary>The consumer's synthetic clock without its anchor, when the run begins; null for none.</summary>
    public string? ConsumerClock { get; init; }

    /// <summary>The producer's synthetic clock without its anchor; null for none. It must not step back.</summary>
    public string? ProducerClock { get; init; }

    /// <summary>What lies between the producer and Redis, forward towards Redis; null for nothing.</summary>
    public LinkProfile? Link { get; init; }

    /// <summary>What lies between the two for clock probes over UDP; null for no such probes.</summary>
    public LinkProfile? ProbeLink { get; init; }

    public bool UsesClaims { get; init; }

    public bool HasEcho { get; init; } = true;

    /// <summary>How long the consumer, then a thread of the Lab's, keeps each message; null for not.</summary>
    public TimeSpan? Hold { get; init; }

    public IReadOnlyList<string> ProducerOptions { get; init; } = [];

    /// <summary>Whether a clock changes at moments of the run, which must all be lived.</summary>
    public bool HasChanges => $"{ConsumerClock}{ProducerClock}".Contains('@', StringComparison.Ordinal);

    /// <summary>A moment of the run, for a clock's text: when this share of the length is over.</summary>
    public static string At(TimeSpan length, double share) =>
        string.Create(CultureInfo.InvariantCulture, $"{length.TotalSeconds * share:0.###}s");

    /// <summary>What the server does wrong, given the channels of messages and of echoes; null for nothing.</summary>
    public Action<FaultScript, string, string>? Faults { get; init; }
}
