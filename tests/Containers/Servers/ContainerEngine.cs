using System.Net;
using System.Net.Sockets;
using System.Text;
using DotNet.Testcontainers.Configurations;

namespace RedisLatency.Containers.Servers;

/// <summary>Whether a container engine answers, and what to do where none does.</summary>
internal static class ContainerEngine
{
    /// <summary>An engine answers at once: one that takes longer is asked once for each run of the tests.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    private const int PlainPort = 2375;
    private const string Standard = "unix:///var/run/docker.sock";

    // Testcontainers asks for this, unless the variable says less; Debian 12 has an engine of 1.41.
    private static readonly Version Asked = new(1, 44);

    private static readonly Lazy<string?> Found = new(() => Find(Environment.GetEnvironmentVariable("DOCKER_HOST")));

    /// <summary>Why no container can be started on this machine; null where one can.</summary>
    public static string? Problem => Found.Value;

    /// <summary>Asks an engine whether it is there, without Testcontainers, which waits for ever.</summary>
    /// <param name="address">As in <c>DOCKER_HOST</c>; null for where an engine is by itself.</param>
    /// <param name="limit">How long it may take.</param>
    /// <returns>One line that says what is wrong and what to do; null where it answers.</returns>
    public static string? ProblemAt(string? address, TimeSpan limit)
    {
        var place = address ?? Standard;
        var uri = new Uri(place);
        EndPoint endpoint = uri.Scheme == "unix"
            ? new UnixDomainSocketEndPoint(uri.AbsolutePath)
            : new DnsEndPoint(uri.Host, uri.Port > 0 ? uri.Port : PlainPort);
        using var socket = uri.Scheme == "unix"
            ? new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
            : new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (!socket.ConnectAsync(endpoint).Wait(limit))
                return $"No container engine answers at {place} within {limit.TotalSeconds} s: {Remedy(address)}.";
            socket.ReceiveTimeout = (int)limit.TotalMilliseconds;
            socket.Send(Encoding.ASCII.GetBytes("GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n"));
            var answer = new byte[4096];
            var reply = Encoding.ASCII.GetString(answer, 0, socket.Receive(answer));
            if (!reply.StartsWith("HTTP/1.", StringComparison.Ordinal) || reply.Split(' ')[1] != "200")
                return $"What answers at {place} is no container engine: {Remedy(address)}.";
            AskNoMoreThan(reply);
            return null;
        }
        catch (AggregateException wrapped) when (wrapped.InnerException is SocketException problem)
        {
            return Explain(problem, place, address, limit);
        }
        catch (SocketException problem)
        {
            return Explain(problem, place, address, limit);
        }
    }

    private static string? Find(string? address)
    {
        address = string.IsNullOrEmpty(address) ? null : address;
        // Others (named pipes, SSH, TLS) are left to Testcontainers, as is finding an engine in a user's own folders.
        var isAsked = address is not null && (address.StartsWith("unix:", StringComparison.Ordinal)
            || (address.StartsWith("tcp:", StringComparison.Ordinal)
                && Environment.GetEnvironmentVariable("DOCKER_TLS_VERIFY") is null));
        if (isAsked)
            return ProblemAt(address, Limit);
        var problem = address is null && !OperatingSystem.IsWindows() ? ProblemAt(null, Limit) : null;
        var others = Task.Run(() => TestcontainersSettings.OS.DockerEndpointAuthConfig);
        try
        {
            if (others.Wait(Limit) && others.Result is not null)
                return null;
        }
        catch (AggregateException)
        {
            // An address that it cannot read.
        }

        return problem ?? $"No container engine answers at {address ?? "any place"}: {Remedy(address)}.";
    }

    private static string Explain(SocketException problem, string place, string? address, TimeSpan limit) =>
        problem.SocketErrorCode switch
        {
            SocketError.AccessDenied =>
                $"This user may not use the container engine at {place}: add the user to the socket's group "
                + "(usermod -aG docker USER, and log in again), or run an engine of the user's own.",
            _ when place.StartsWith("unix:", StringComparison.Ordinal) && !File.Exists(new Uri(place).AbsolutePath) =>
                $"No container engine is at {place}: {Remedy(address)}.",
            SocketError.TimedOut =>
                $"The container engine at {place} does not answer within {limit.TotalSeconds} s: restart it.",
            _ => $"No container engine answers at {place} ({problem.Message}): {Remedy(address)}.",
        };

    private static string Remedy(string? address) => address is null
        ? "start Docker or Podman, or name one by DOCKER_HOST"
        : "start it, or correct DOCKER_HOST";

    private static void AskNoMoreThan(string reply)
    {
        const string Variable = "DOCKER_API_VERSION";
        var line = reply.Split("\r\n")
            .FirstOrDefault(header => header.StartsWith("Api-Version:", StringComparison.OrdinalIgnoreCase));
        var known = line?.Split(' ')[^1];
        var isChosen = Environment.GetEnvironmentVariable(Variable) is not null;
        if (!isChosen && Version.TryParse(known, out var most) && most < Asked)
            Environment.SetEnvironmentVariable(Variable, known);
    }
}
