using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Hosting.Targets;

/// <summary>
/// What the server says of itself, asked on a connection of its own before and after the measured phase, never in it.
/// </summary>
public sealed class TargetObservation(ResolvedTarget target)
{
    private (long At, double Cpu)? _previous;

    /// <summary>What it said last; null before, and where it could not be asked.</summary>
    public ServerFacts? Facts { get; private set; }

    /// <summary>Why the last question has no answer.</summary>
    public string? WhyNot { get; private set; }

    /// <summary>Whether it answered the last question, be it with a refusal.</summary>
    public bool IsReached { get; private set; }

    /// <summary>The share of one core that the server used between the last two looks; null where not known.</summary>
    public double? CpuShare { get; private set; }

    /// <summary>Asks two servers who they are: compared with itself a server's messages and keys would meet.</summary>
    /// <exception cref="RunRefusedException">They are one.</exception>
    public static void RequireTwo(ResolvedTarget first, ResolvedTarget other)
    {
        if (AreOne(first, other))
            throw new RunRefusedException($"--redis {first.Name} and --redis {other.Name} are the same server.");
    }

    /// <summary>Asks two servers who they are, and says whether they are one, as far as they tell.</summary>
    public static bool AreOne(ResolvedTarget first, ResolvedTarget other)
    {
        var ids = new[] { first, other }.Select(target =>
        {
            var observation = new TargetObservation(target);
            observation.Poll();
            return observation.Facts?.RunId;
        }).ToList();
        return ids[0] is { } id && id == ids[1];
    }

    /// <summary>Asks the server. What goes wrong is no reason not to measure.</summary>
    public void Poll()
    {
        CpuShare = null;
        try
        {
            using var control = target.OpenControl();
            Facts = ServerFacts.Read(control);
            WhyNot = Facts.UnavailableBecause;
            IsReached = true;
        }
        catch (RedisException failure)
        {
            WhyNot = failure.Message;
            IsReached = failure is RedisServerException || !failure.IsTransient;
            _previous = null;
            return;
        }

        var now = MonotonicClock.NowNs();
        // One that was started again counts from nothing.
        if (_previous is { } previous && Facts.CpuSeconds is { } cpu && cpu >= previous.Cpu)
            CpuShare = (cpu - previous.Cpu) * 1e9 / (now - previous.At);
        _previous = Facts.CpuSeconds is { } used ? (now, used) : null;
    }
}
