using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Live;

/// <summary>Makes each kind of live view; <see cref="LiveViewChoice"/> says which.</summary>
public static class LiveViews
{
    /// <summary>
    /// A display that is drawn over once per interval. It allocates and its thread competes for the CPU: numbers to be
    /// published are taken with <see cref="None"/>.
    /// </summary>
    public static ILiveView Rich(
        LiveDescription description,
        Terminal terminal,
        StandardOutput output,
        Diagnostics diagnostics,
        IStopToken stop) =>
        new RichView(description, new TerminalOutput(output, terminal), terminal.HasColor, diagnostics, stop);

    /// <summary>One line per interval on standard error; allocates nothing.</summary>
    public static ILiveView Plain(LiveDescription description, Diagnostics diagnostics) =>
        new PlainView(description, diagnostics);

    /// <summary>Nothing at all: the reference for published numbers.</summary>
    public static ILiveView None() => new NoView();
}
