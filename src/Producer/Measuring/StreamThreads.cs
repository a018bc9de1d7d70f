using System.Globalization;
using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Running;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Producer.Measuring;

/// <summary>Runs each stream on a named thread of its own, never on the thread pool.</summary>
internal static class StreamThreads
{
    /// <exception cref="RunRefusedException">A thread cannot be pinned.</exception>
    public static void Run(IReadOnlyList<StreamSender> senders, int? firstCpu, Action<StreamSender, int> work)
    {
        var failures = new ExceptionDispatchInfo?[senders.Count];
        var threads = senders.Select((sender, stream) => new Thread(() => Guarded(sender, stream))
        {
            Name = string.Create(CultureInfo.InvariantCulture, $"redislatency-stream-{stream}"),
        }).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        failures.FirstOrDefault(failure => failure is not null)?.Throw();

        void Guarded(StreamSender sender, int stream)
        {
            try
            {
                if (firstCpu is { } cpu && ThreadAffinity.Pin(cpu + stream) is { } problem)
                    throw new RunRefusedException($"--cpu {cpu + stream}: {problem}.");
                TimedWait.WakePrecisely();
                work(sender, stream);
            }
#pragma warning disable CA1031 // It is thrown again on the thread that waits.
            catch (Exception failure)
#pragma warning restore CA1031
            {
                failures[stream] = ExceptionDispatchInfo.Capture(failure);
            }
        }
    }
}
