package org.taflhall;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** Resolves "taflhall:///HOST:PORT,HOST:PORT", the replicas of one service, to all their addresses. */
public final class Replicas extends NameResolverProvider {
  static final String SCHEME = "taflhall";

  /** Makes the provider; gRPC does so. */
  public Replicas() {}

  /** Returns gRPC's name of addresses. */
  static String target(List<String> addresses) {
    return addresses.size() > 1 ? SCHEME + ":///" + String.join(",", addresses) : addresses.get(0);
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return 5;
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  public NameResolver newNameResolver(URI target, NameResolver.Args args) {
    if (!SCHEME.equals(target.getScheme())) {
      return null;
    }
    List<URI> replicas = new ArrayList<>();
    for (String replica : target.getPath().substring(1).split(",")) {
      replicas.add(URI.create("//" + replica));
    }
    return new Resolver(replicas, args.getOffloadExecutor());
  }

  private static final class Resolver extends NameResolver {
    private final List<URI> replicas;
    private final Executor executor;
    private Listener2 listener;

    Resolver(List<URI> replicas, Executor executor) {
      this.replicas = replicas;
      this.executor = executor;
    }

    @Override
    public String getServiceAuthority() {
      return replicas.get(0).getAuthority();
    }

    @Override
    public void start(Listener2 listener) {
      this.listener = listener;
      refresh();
    }

    @Override
    public void refresh() {
      executor.execute(this::resolve);
    }

    private void resolve() {
      List<EquivalentAddressGroup> groups = new ArrayList<>();
      for (URI replica : replicas) {
        var address = new InetSocketAddress(replica.getHost(), replica.getPort());
        if (!address.isUnresolved()) {
          var authority = EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE;
          var named = Attributes.newBuilder().set(authority, replica.getAuthority()).build();
          groups.add(new EquivalentAddressGroup(address, named));
        }
      }
      if (groups.isEmpty()) {
        listener.onError(Status.UNAVAILABLE.withDescription("no host of " + replicas + " is known"));
      } else {
        listener.onResult(
            ResolutionResult.newBuilder().setAddressesOrError(StatusOr.fromValue(groups)).build());
      }
    }

    @Override
    public void shutdown() {}
  }
}
