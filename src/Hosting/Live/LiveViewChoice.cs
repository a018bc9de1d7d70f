using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running.Signals;

namespace RedisLatency.Hosting.Live;

/// <summary>Makes the live view that the options ask for.</summary>
public static class LiveViewChoice
{
    /// <summary>The view of these options; <c>--quiet</c> shows nothing unless a view is asked for by name.</summary>
    public static ILiveView Of(
        OutputOptions options,
        LiveDescription description,
        StandardOutput output,
        Diagnostics diagnostics,
        IStopToken stop)
    {
        var terminal = Terminal.Detect();
        return options.Live switch
        {
            LiveView.None => LiveViews.None(),
            LiveView.Plain => LiveViews.Plain(description, diagnostics),
            LiveView.Rich => LiveViews.Rich(description, terminal, output, diagnostics, stop),
            _ when options.Quiet => LiveViews.None(),
            _ when options.Format != OutputFormat.Text => LiveViews.Plain(description, diagnostics),
            _ => LiveViews.Auto(description, terminal, output, diagnostics, stop),
        };
    }
}
