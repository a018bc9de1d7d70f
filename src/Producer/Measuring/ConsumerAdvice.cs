using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Presence;

namespace RedisLatency.Producer.Measuring;

/// <summary>What to type so that the run can go on.</summary>
internal static class ConsumerAdvice
{
    public static string Waiting(ProducerPlan plan, ResolvedTarget target, int stream) =>
        $"{Nobody(plan, target, stream)} Waiting {plan.Options.RendezvousTimeout.TotalSeconds:0.#} s; "
        + $"in another terminal: {Command(plan, target)}";

    public static string Missing(ProducerPlan plan, ResolvedTarget target, int stream) =>
        $"{Nobody(plan, target, stream)} Start one: {Command(plan, target)}";

    public static string Own(ProducerPlan plan, ResolvedTarget target) =>
        $"{Nobody(plan, target, 0)} One in this process does. For one elsewhere: {Command(plan, target)}";

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
        .GroupBy(consumer => consumer.Content!.Instance)
        .Where(same => same.Count() > 1)
        .Select(same => $"{same.Count().ToString(CultureInfo.InvariantCulture)} consumers have the name "
            + $"{same.Key}, and each answers every message: stop the others, or give each its own --instance.");

    private static string Nobody(ProducerPlan plan, ResolvedTarget target, int stream) =>
        $"No consumer answers on {RunNames.ChannelOf(plan.Channel, stream)} at {target.Name}.";

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
