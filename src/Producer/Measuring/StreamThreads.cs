using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Producer.Measuring;

/// <summary>Runs each stream on a named thread of its own, never on the thread pool.</summary>
internal static class StreamThreads
{
    public static void Run(IReadOnlyList<StreamSender> senders, int? firstCpu, Action<StreamSender, int> work)
    {
        var threads = senders.Select((sender, stream) => new SessionThread(
            string.Create(CultureInfo.InvariantCulture, $"redislatency-stream-{stream}"),
            () => Run(sender, stream))).ToList();
        threads.ForEach(thread => thread.Join());
        threads.ForEach(thread => thread.ThrowIfFailed());

        void Run(StreamSender sender, int stream)
        {
            if (firstCpu is { } cpu && ThreadAffinity.Pin(cpu + stream) is { } problem)
                throw new RunRefusedException($"--cpu {cpu + stream}: {problem}.");
            Pacer.WakePrecisely();
            work(sender, stream);
        }
    }
}
