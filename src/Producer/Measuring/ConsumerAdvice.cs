using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Sending;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Reports.Output;

namespace RedisLatency.Producer.Measuring;

/// <summary>What to type so that the run can go on.</summary>
internal static class ConsumerAdvice
{
    public static string Waiting(
        ProducerPlan plan, ResolvedTarget target, int stream, ConsumerSearch search) =>
        $"{Nobody(plan, target, stream, search)} Waiting {plan.Options.PeerTimeout.TotalSeconds:0.#} s; "
        + $"in another terminal: {Command(plan, target)}";

    public static string Missing(
        ProducerPlan plan, ResolvedTarget target, int stream, ConsumerSearch? search = null) =>
        $"{Nobody(plan, target, stream, search)} Start one: {Command(plan, target)}";

    public static string Own(ProducerPlan plan, ResolvedTarget target, ConsumerSearch search) =>
        $"{Nobody(plan, target, 0, search)} One in this process does. For one elsewhere: {Command(plan, target)}";

    public static string NameTaken(ProducerPlan plan) =>
        $"Another producer of run {plan.Run} is running with the name {plan.Instance}: "
        + "give one of them another --run or --instance.";

    public static string NameOf(PresentConsumer consumer) => consumer.Content switch
    {
        null => "of plain counts",
        { Region.Length: 0 } content => content.Instance,
        { } content => $"{content.Instance} in {content.Region}",
    };

    /// <summary>What to do about consumers of one name, a sentence for each name.</summary>
    public static IEnumerable<string> Twins(IEnumerable<PresentConsumer> consumers) => consumers
        .Where(consumer => consumer.Content is not null)
        .GroupBy(NameOf)
        .Where(same => same.Count() > 1)
        .Select(same => $"{same.Count().ToString(CultureInfo.InvariantCulture)} consumers have the name "
            + $"{same.Key}, and each answers every message: stop the others, or give each its own --instance.");

    /// <summary>Consumers of another version, a sentence each.</summary>
    public static IEnumerable<string> OtherVersions(IEnumerable<PresentConsumer> consumers) => consumers
        .Select(consumer => consumer.Content?.NoteVersion($"The consumer {NameOf(consumer)}")).OfType<string>();

    private static string Nobody(ProducerPlan plan, ResolvedTarget target, int stream, ConsumerSearch? search) =>
        $"No consumer answers on {RunNames.ChannelOf(plan.Channel, stream)} at {target.Name}."
        + search?.Hearers switch
        {
            1 => " 1 subscriber heard the question: another program, a Consumer of another version, or one that hangs.",
            > 1 and var hearers => $" {Quantity.Count(hearers)} subscribers heard the question: other programs, "
                + "Consumers of another version, or such that hang.",
            _ => string.Empty,
        };

    // The endpoint's text has *** where the password is: it is not for us to print.
    private static string Command(ProducerPlan plan, ResolvedTarget target)
    {
        var command = $"{ProgramName.ToStart("Consumer")} --redis {target.Endpoint}";
        if (plan.IsCounter)
            return $"{command} --channel {plan.Channel} --reply-channel {plan.ReplyChannel}";
        if (plan.Run != RunNames.DefaultRun)
            command += $" --run {plan.Run}";
        if (plan.Options.Channel is { } channel)
            command += $" --channel {channel}";
        if (plan.Options.ReplyChannel is { } reply)
            command += $" --reply-channel {reply}";
        return plan.Streams == 1
            ? command
            : $"{command} --streams {plan.Streams.ToString(CultureInfo.InvariantCulture)}";
    }
}
